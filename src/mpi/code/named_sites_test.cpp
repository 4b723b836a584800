// Which of the places that a file names a call comes from.

#include "mpi/code/code_places.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

namespace kumi::mpi {
namespace {

const void* here() { return reinterpret_cast<const void*>(&here); }

/// A place with the `before` bytes before `here()`, and `after` behind.
std::string row(const std::string& module, std::uint64_t before, std::uint64_t after) {
    const std::uint64_t at = place_on_disk(here()).offset;
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%llx-%llx",
                  static_cast<unsigned long long>(at - before),
                  static_cast<unsigned long long>(at + after));
    return module + '\t' + text.data() + '\n';
}

std::string name() {
    const std::string path = place_on_disk(here()).module;
    return path.substr(path.rfind('/') + 1);
}

TEST(NamedSites, HaveABitEach) {
    NamedSites sites;
    ASSERT_TRUE(sites.read(row(name(), 1, 0) + row(name(), 9, 8) + row("other", 1, 0)));
    EXPECT_EQ(sites.of_call(here()), 3U);
    EXPECT_EQ(sites.of_call(here()), 3U);
}

TEST(NamedSites, AreThoseOfTheCallBeforeTheReturnAddress) {
    NamedSites sites;
    ASSERT_TRUE(sites.read(row(name(), 0, 9) + row(name(), 5, 0)));
    EXPECT_EQ(sites.of_call(here()), 2U);
}

TEST(NamedSites, MayBeNamedByTheirPath) {
    const std::string path = place_on_disk(here()).module;
    NamedSites sites;
    ASSERT_TRUE(sites.read(row(path, 1, 0) + row("/elsewhere" + path, 1, 0)));
    EXPECT_EQ(sites.of_call(here()), 1U);
}

TEST(NamedSites, OtherTextsAreRefused) {
    for (const char* text : {"", "\n", "a.out", "a.out\t", "a.out\t1", "a.out\t1-z", "a\t1-2\t3"})
        EXPECT_FALSE(NamedSites().read(text)) << text;
    std::string most;
    for (std::size_t i = 0; i < NamedSites::kMost; ++i) most += "a.out\t1-2\n";
    EXPECT_TRUE(NamedSites().read(most));
    EXPECT_FALSE(NamedSites().read(most + "a.out\t1-2\n"));
}

}  // namespace
}  // namespace kumi::mpi
