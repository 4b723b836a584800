// Receives of which the program asserts that their messages fill the buffer.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "transport/testing/transport_under_test.hpp"

namespace kumi::transport {
namespace {

/// As the shim does: for one receive.
const char* next_function = nullptr;
AssertedMessage exact_receive() { return {.exact_for = std::exchange(next_function, nullptr)}; }

TEST(ExactReceive, IsBrokenByAMessageOfAnotherLength) {
    conductor::RanksUnderTest ranks(2,
                                    {.endpoint = {.eager_limit_bytes = 100, .control_bytes = 8}});
    ranks.complete([&](conductor::AllPorts& port) {
        RankUnderTest rank(port, EmptyPolls{}, {.asserted_of_receive = exact_receive});
        std::string eager(10, 'e'), large(200, 'l');
        if (port.rank() == 0) {
            for (const std::uint64_t tag : {1, 2, 3}) rank.send(eager, tag);
            rank.send(large, 4);
            return;
        }
        const auto receive = [&](std::size_t room, std::uint64_t tag, const char* function) {
            std::string in(room, '.');
            next_function = function;
            rank.complete_receive(in, {0, tag, 0});
        };
        receive(10, 1, "MPI_Recv");
        receive(11, 2, "mpi_irecv");
        receive(11, 3, nullptr);
        receive(201, 4, "MPI_Recv_c");
    });
    const auto exact = static_cast<std::size_t>(Assertion::kExactLength);
    const conductor::ConductorState& state = ranks.run->state();
    EXPECT_EQ(state.ranks[0].seldom.asserted[exact].broken, 0U);
    EXPECT_EQ(state.ranks[1].seldom.asserted[exact].broken, 2U);
    const conductor::RefusedNames& names = state.diagnosis.broken_by[exact];
    ASSERT_EQ(names.count.load(), 2U);
    EXPECT_STREQ(names.names[0].text, "MPI_Irecv");
    EXPECT_STREQ(names.names[1].text, "MPI_Recv");
}

}  // namespace
}  // namespace kumi::transport
