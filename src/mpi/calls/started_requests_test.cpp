#include "mpi/calls/started_requests.hpp"

#include <gtest/gtest.h>

#include <iterator>

namespace kumi::mpi {
namespace {

constexpr std::uint32_t kMany = 65'536;

/// Handles of MPICH are small numbers in a row; those of Open MPI are addresses.
constexpr Word kStrides[] = {1, 64, 416, 4096};

Word request_of(std::uint32_t number, Word stride) { return 0x2C00'0000 + number * stride; }

TEST(StartedRequests, NoneIsForgottenHoweverManyThereAre) {
    static StartedRequests of_strides[std::size(kStrides)];  // They never give memory back.
    for (std::size_t at = 0; at < std::size(kStrides); ++at) {
        StartedRequests& started = of_strides[at];
        const Word stride = kStrides[at];
        for (std::uint32_t i = 0; i < kMany; ++i) started.note({request_of(i, stride), i + 1, 2});
        for (std::uint32_t i = 0; i < kMany; ++i) {
            const StartedRequest found = started.find(request_of(i, stride));
            ASSERT_EQ(found.call, i + 1) << stride;
            ASSERT_EQ(found.together, 2U);
        }
        EXPECT_EQ(started.find(request_of(kMany, stride)).call, 0U);
        EXPECT_LE(started.steps(), 10U * kMany) << stride;
    }
}

TEST(StartedRequests, OneThatIsStartedAgainIsOfItsLastCall) {
    static StartedRequests started;
    for (std::uint32_t call = 1; call <= kMany; ++call) {
        started.note({request_of(call % 500, 1), call, 1});
        ASSERT_EQ(started.find(request_of(call % 500, 1)).call, call);
    }
    EXPECT_LE(started.steps(), 10U * kMany);
}

}  // namespace
}  // namespace kumi::mpi
