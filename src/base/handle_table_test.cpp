#include "base/handle_table.hpp"

#include <gtest/gtest.h>

namespace kumi::inline base {
namespace {

struct Number {
    int value = 3;
};

TEST(HandleTable, ObjectsAreFreshAndKeepTheirPlaces) {
    HandleTable<Number> table;
    const std::uint32_t first = table.make();
    table[first].value = 7;
    const Number* address = &table[first];
    std::vector<std::uint32_t> others;
    for (int i = 0; i < 1000; ++i) others.push_back(table.make());
    EXPECT_EQ(&table[first], address);
    EXPECT_EQ(table[first].value, 7);
    table.give_back(first);
    EXPECT_EQ(table.make(), first);
    EXPECT_EQ(table[first].value, 3);
}

TEST(HandleTable, AHandleEndsWithItsObject) {
    HandleTable<int> table;
    const std::uint32_t number = table.make();
    const auto handle = table.handle(number);
    EXPECT_TRUE(table.is_valid(handle));
    EXPECT_EQ(table.number_of(handle), number);
    table.give_back(number);
    EXPECT_FALSE(table.is_valid(handle));
    EXPECT_EQ(table.make(), number);
    EXPECT_FALSE(table.is_valid(handle));
    EXPECT_TRUE(table.is_valid(table.handle(number)));
}

TEST(HandleTable, HandlesOfAnotherEpochAreNotValid) {
    HandleTable<int> before(1), table(2);
    const auto old = before.handle(before.make());
    const auto handle = table.handle(table.make());
    EXPECT_FALSE(table.is_valid(old));
    EXPECT_TRUE(table.is_valid(handle));
}

TEST(HandleTable, NoObjectHasAHandleThatWasMadeUp) {
    HandleTable<int> table;
    EXPECT_FALSE(table.is_valid(0));
    const std::uint32_t number = table.make();
    EXPECT_FALSE(table.is_valid(0));
    EXPECT_FALSE(table.is_valid(number));
    EXPECT_FALSE(table.is_valid(table.handle(number) + 1));
    EXPECT_FALSE(table.is_valid(~std::uint64_t{0}));
    EXPECT_DEATH(table.number_of(~std::uint64_t{0}), "not outstanding");
}

}  // namespace
}  // namespace kumi::inline base
