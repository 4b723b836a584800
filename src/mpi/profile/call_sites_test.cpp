// What is written of calls: exact sums, and places as they are on disk.

#include "mpi/profile/call_sites.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <vector>

namespace kumi::mpi::profile {
namespace {

using Fields = std::vector<std::string>;

std::vector<Fields> written(const CallSites& sites) {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* file = ::open_memstream(&text, &size);
    sites.write(file);
    std::fclose(file);
    std::istringstream lines(std::string(text, size));
    std::free(text);
    std::vector<Fields> rows;
    for (std::string line; std::getline(lines, line);) {
        rows.emplace_back();
        std::istringstream fields(line);
        for (std::string field; std::getline(fields, field, '\t');) rows.back().push_back(field);
    }
    return rows;
}

/// The fields of a row from `first` on.
Fields fields(const Fields& row, std::ptrdiff_t first, std::ptrdiff_t count) {
    return {row.begin() + first, row.begin() + first + count};
}

const void* here() { return reinterpret_cast<const void*>(&here); }

TEST(CallSites, SumsAreExactBeyondSixtyFourBits) {
    constexpr Duration kLong{9'000'000'000'000'001};
    CallSites sites;
    for (int i = 0; i < 3; ++i)
        sites.add({.caller = here(), .function = "MPI_Send", .distance = kLong, .inside = {7}});
    const auto rows = written(sites);
    ASSERT_EQ(rows.size(), 1U);
    // 3 x (9e15 + 1)^2 = 243000000000000054000000000000003.
    EXPECT_EQ(fields(rows[0], 3, 6),
              (Fields{"3", "9000000000000001", "9000000000000001", "27000000000000003",
                      "13173056395698", "16266348819348652035"}));
    EXPECT_EQ(rows[0][10], "21");
}

TEST(CallSites, DistancesAreCountedByTheirBits) {
    CallSites sites;
    for (const std::int64_t ps : {0, 1, 2, 3, 4})
        sites.add({.caller = here(), .function = "MPI_Send", .distance = {ps}});
    const auto rows = written(sites);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0][9].substr(0, 9), "1,1,2,1,0");
}

TEST(CallSites, WhatWasSentIsSummedAndTargetsAreListedOnce) {
    const std::array<conductor::SentMessage, 2> sent = {
        {{.target = 5, .first = {}, .last = {}, .messages = 2, .bytes = 100, .requests = 0},
         {.target = 1, .first = {}, .last = {}, .messages = 1, .bytes = 8, .requests = 0}}};
    CallSites sites;
    for (int i = 0; i < 2; ++i) sites.add({.caller = here(), .function = "MPI_Send", .sent = sent});
    const auto rows = written(sites);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(fields(rows[0], 11, 3), (Fields{"6", "216", "1,5"}));
}

TEST(CallSites, TheSmallestAndTheLargestCommunicatorAreKept) {
    CallSites sites;
    for (const std::uint32_t members : {4U, 0U, 3U, 16U})
        sites.add({.caller = here(), .function = "MPI_Bcast", .members = members});
    sites.add({.caller = here(), .function = "MPI_Wait"});
    const auto rows = written(sites);
    ASSERT_EQ(rows.size(), 2U);
    const Fields& broadcast = rows[0][0] == "MPI_Bcast" ? rows[0] : rows[1];
    const Fields& wait = rows[0][0] == "MPI_Bcast" ? rows[1] : rows[0];
    EXPECT_EQ(fields(broadcast, 14, 2), (Fields{"3", "16"}));
    EXPECT_EQ(fields(wait, 14, 2), (Fields{"0", "0"}));
}

TEST(CallSites, FunctionsThatReturnToOnePlaceAreKeptApart) {
    CallSites sites;
    sites.add({.caller = here(), .function = "MPI_Send"});
    sites.add({.caller = here(), .function = "MPI_Recv"});
    const auto rows = written(sites);
    ASSERT_EQ(rows.size(), 2U);
    // The program's own path, though the loader has no name for it.
    EXPECT_NE(rows[0][1].find("kumi_mpi_test"), std::string::npos);
    EXPECT_EQ(rows[0][2], rows[1][2]);
}

}  // namespace
}  // namespace kumi::mpi::profile
