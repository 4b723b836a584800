#include "base/free_list.hpp"

#include <gtest/gtest.h>

namespace kumi {
namespace {

struct Entry {
    Entry* next = nullptr;
    int value = 7;
};

TEST(FreeList, HandsOutWhatCameBackLastAsIfItWereNew) {
    FreeList<Entry> list;
    Entry* first = list.make();
    Entry* second = list.make();
    ASSERT_NE(first, second);
    first->value = second->value = 1;
    list.give_back(first);
    list.give_back(second);
    EXPECT_EQ(list.make(), second);
    EXPECT_EQ(list.make(), first);
    EXPECT_EQ(first->value, 7);
    EXPECT_EQ(second->next, nullptr);
    list.give_back(first);
    list.give_back(second);
}

}  // namespace
}  // namespace kumi
