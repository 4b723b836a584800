// What is written of calls: the sums of each place, and places as they are on disk.

#include "mpi/profile/call_sites.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <vector>

#include "base/testing/arena_for_tests.hpp"

namespace kumi::mpi::profile {
namespace {

using Fields = std::vector<std::string>;

std::vector<Fields> written(const CallSites& sites, const conductor::CallSums& sums) {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* file = ::open_memstream(&text, &size);
    sites.write(file, sums);
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

TEST(CallSites, ARowHasTheSumsOfItsPlace) {
    ArenaForTests arena;
    conductor::CallSums sums(8);
    const std::vector<conductor::SentMessage> sent = {
        {.target = 5, .first = {}, .last = {}, .messages = 2, .bytes = 100, .requests = 0},
        {.target = 1, .first = {}, .last = {}, .messages = 1, .bytes = 8, .requests = 0}};
    CallSites sites;
    // Numbers are those of run_link's sums.
    const std::uint32_t place = sites.note(here(), "MPI_Send", 0);
    while (sums.add_place(*arena) < place) {
    }
    sums.add_call(place, /*only_asks=*/false, {Instant{3}, Instant{10}}, sent);
    sums.add_call(place, /*only_asks=*/false, {Instant{10}, Instant{17}}, sent);
    const auto rows = written(sites, sums);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(fields(rows[0], 3, 6), (Fields{"2", "0", "3", "3", "0", "9"}));
    EXPECT_EQ(rows[0][9].substr(0, 9), "1,0,1,0,0");
    EXPECT_EQ(fields(rows[0], 10, 4), (Fields{"14", "6", "216", "1,5"}));
}

TEST(CallSites, TheSmallestAndTheLargestCommunicatorAreKept) {
    CallSites sites;
    for (const std::uint32_t members : {4U, 0U, 3U, 16U}) sites.note(here(), "MPI_Bcast", members);
    sites.note(here(), "MPI_Wait", 0);
    const auto rows = written(sites, run_link::call_sums());
    ASSERT_EQ(rows.size(), 2U);
    const Fields& broadcast = rows[0][0] == "MPI_Bcast" ? rows[0] : rows[1];
    const Fields& wait = rows[0][0] == "MPI_Bcast" ? rows[1] : rows[0];
    EXPECT_EQ(fields(broadcast, 14, 2), (Fields{"3", "16"}));
    EXPECT_EQ(fields(wait, 14, 2), (Fields{"0", "0"}));
}

TEST(CallSites, FunctionsThatReturnToOnePlaceAreKeptApart) {
    CallSites sites;
    EXPECT_NE(sites.note(here(), "MPI_Send", 0), sites.note(here(), "MPI_Recv", 0));
    const auto rows = written(sites, run_link::call_sums());
    ASSERT_EQ(rows.size(), 2U);
    // The program's own path, though the loader has no name for it.
    EXPECT_NE(rows[0][1].find("kumi_mpi_test"), std::string::npos);
    EXPECT_EQ(rows[0][2], rows[1][2]);
}

}  // namespace
}  // namespace kumi::mpi::profile
