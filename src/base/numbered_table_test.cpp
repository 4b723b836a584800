#include "base/numbered_table.hpp"

#include <gtest/gtest.h>

namespace kumi::inline base {
namespace {

struct Number {
    int value = 3;
};

TEST(NumberedTable, ObjectsAreFreshAndKeepTheirPlaces) {
    NumberedTable<Number> table;
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

}  // namespace
}  // namespace kumi::inline base
