// Messages before and after virtual time, where ranks do not take turns.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "transport/testing/transport_under_test.hpp"

namespace kumi::transport {
namespace {

class RealTimeTest : public TransportTest {};

INSTANTIATE_TEST_SUITE_P(Memory, RealTimeTest, testing::Bool(), name_of_memory);

/// A sender changes its buffers as soon as its sends are complete, while the receiver copies.
TEST_P(RealTimeTest, AReceiverHasThePayloadsOfSendsThatAreComplete) {
    constexpr std::size_t kSize = 1 << 16;
    constexpr std::size_t kCount = 16;
    constexpr int kRounds = 100;
    rank_0([](RankUnderTest& rank) {
        rank.port.finish();
        std::vector<std::vector<char>> out(kCount, std::vector<char>(kSize));
        for (int round = 0; round < kRounds; ++round) {
            for (std::vector<char>& buffer : out) {
                std::ranges::fill(buffer, static_cast<char>(round));
                rank.send(Buffer::of(buffer.data(), kSize), {.tag = 1}, buffer.data());
            }
            for (std::size_t i = 0; i < kCount; ++i) {
                auto* buffer = static_cast<char*>(rank.next().context);
                std::fill_n(buffer, kSize, '\xFF');
            }
        }
    }).rank_1([](RankUnderTest& rank) {
        rank.port.finish();
        std::vector<std::vector<char>> in(kCount, std::vector<char>(kSize));
        for (int round = 0; round < kRounds; ++round) {
            for (std::vector<char>& buffer : in)
                rank.receive(Buffer::of(buffer.data(), kSize), {0, 1, 0});
            rank.wait_for(kCount);
            rank.completions.clear();
            const std::vector<char> sent(kSize, static_cast<char>(round));
            for (const std::vector<char>& buffer : in) rank.require(buffer == sent);
        }
    });
}

}  // namespace
}  // namespace kumi::transport
