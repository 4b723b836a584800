// At which calls hints of a file act.

#include "mpi/hints/points.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "mpi/code/code_places.hpp"

namespace kumi::mpi::hint_file {
namespace {

using endpoint::service::HintKey;

constexpr const char* kSend = "MPI_Send";
constexpr const char* kFortranSend = "mpi_send";

const void* here() { return reinterpret_cast<const void*>(&here); }

/// The values of the hints at a call: those before it, a point, those after it.
std::string call(Points& points, const char* function = kSend) {
    std::string text;
    const auto add = [&](Points::Hint hint) { text += std::to_string(hint.value); };
    points.begin_call(here(), function, add);
    text += '.';
    points.end_call(add);
    return text;
}

std::string calls(Points& points, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += call(points) + ' ';
    return text;
}

std::string missed(const Points& points) {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* file = ::open_memstream(&text, &size);
    points.write_missed(file);
    std::fclose(file);
    const std::string found(text, size);
    std::free(text);
    return found;
}

TEST(HintPoints, ActBeforeAndAfterTheCallsThatTheyName) {
    Points points;
    ASSERT_TRUE(
        points.read("before\t0\t1\tmpi_send\t2\t0\t\t\t\nafter\t0\t0\tmpi_send\t3\t0\t\t\t\n", 0));
    EXPECT_EQ(calls(points, 4), ". 1. .0 . ");
    EXPECT_EQ(call(points, "MPI_Recv"), ".");
    EXPECT_EQ(missed(points), "");
}

TEST(HintPoints, ActAgainAfterSoManyCalls) {
    Points points;
    ASSERT_TRUE(
        points.read("before\t0\t1\tmpi_send\t2\t3\t\t\t\nafter\t0\t0\tmpi_send\t3\t3\t\t\t\n", 0));
    EXPECT_EQ(calls(points, 7), ". 1. .0 . 1. .0 . ");
}

TEST(HintPoints, FunctionsAreCountedTogetherInEveryLanguage) {
    Points points;
    ASSERT_TRUE(points.read("before\t0\t1\tmpi_send\t2\t0\t\t\t\n", 0));
    EXPECT_EQ(call(points, kFortranSend), ".");
    EXPECT_EQ(call(points, kSend), "1.");
}

TEST(HintPoints, ConcernTheirRanksAlone) {
    const std::string text = "before\t3\t1024\tmpi_send\t1\t0\t\t\t0,12\n";
    for (const std::uint32_t rank : {0U, 1U, 2U, 12U}) {
        Points points;
        ASSERT_TRUE(points.read(text, rank));
        EXPECT_EQ(call(points), rank == 0 || rank == 12 ? "1024." : ".") << rank;
    }
}

TEST(HintPoints, APlaceIsARangeOfItsProgramsCode) {
    const CodePlace place = place_on_disk(here());
    const auto with = [&](const std::string& module, std::uint64_t begin, std::uint64_t end) {
        char text[200];
        std::snprintf(text, sizeof text, "before\t0\t1\tmpi_send\t1\t0\t%s\t1-2,%lx-%lx\t\n",
                      module.c_str(), begin, end);
        Points points;
        EXPECT_TRUE(points.read(text, 0));
        return call(points);
    };
    const std::string name = place.module.substr(place.module.rfind('/') + 1);
    const std::uint64_t of_call = place.offset - 1;
    EXPECT_EQ(with(name, of_call, of_call + 1), "1.");
    EXPECT_EQ(with(place.module, of_call - 5, of_call + 1), "1.");
    EXPECT_EQ(with(name, of_call + 1, of_call + 9), ".");
    EXPECT_EQ(with(name, of_call - 9, of_call), ".");
    EXPECT_EQ(with("/other/" + name, of_call, of_call + 1), ".");
}

TEST(HintPoints, WhatWasNotReachedIsToldWithItsCalls) {
    Points points;
    ASSERT_TRUE(
        points.read("before\t0\t1\tmpi_send\t2\t0\t\t\t\nafter\t0\t0\tmpi_send\t5\t0\t\t\t\n", 0));
    calls(points, 3);
    ASSERT_TRUE(points.has_missed());
    EXPECT_EQ(missed(points), "1\t3\n");
    calls(points, 2);
    EXPECT_FALSE(points.has_missed());
}

TEST(HintPoints, OtherTextIsRefused) {
    for (const char* text :
         {"before\n", "before\t0\t1\tmpi_send\tone\t0\t\t\t\n",
          "before\t9\t1\tmpi_send\t1\t0\t\t\t\n", "before\t0\t2\tmpi_send\t1\t0\t\t\t\n",
          "before\t0\t1\tmpi_send\t1\t0\ta.out\t12\t\n"}) {
        Points points;
        EXPECT_FALSE(points.read(text, 0)) << text;
    }
}

}  // namespace
}  // namespace kumi::mpi::hint_file
