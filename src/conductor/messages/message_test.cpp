// The seal of a message: which damage it finds.

#include "conductor/messages/message.hpp"

#include <gtest/gtest.h>

#include "base/random/random_stream.hpp"

namespace kumi::conductor {
namespace {

constexpr std::size_t kBegin = offsetof(Message, magic);
constexpr std::size_t kSealedBits = 8 * (offsetof(Message, seal) - kBegin);

class SealOf : public testing::TestWithParam<bool> {
   protected:
    SealOf() {
        if (!GetParam()) return;
        RandomStream random = RandomStreams(1, "test").stream();
        for (std::size_t at = 0; at < kSealedBits / 8; ++at)
            bytes()[at] = static_cast<unsigned char>(random.bits());
    }

    unsigned char* bytes() { return reinterpret_cast<unsigned char*>(&message) + kBegin; }
    void flip(std::size_t bit) { bytes()[bit / 8] ^= static_cast<unsigned char>(1U << bit % 8); }

    Message message;
};

TEST_P(SealOf, NoTwoBitsFlippedAreHidden) {
    const std::uint64_t seal = message.compute_seal();
    std::size_t hidden = 0;
    for (std::size_t one = 0; one < kSealedBits; ++one) {
        flip(one);
        hidden += message.compute_seal() == seal ? 1 : 0;
        for (std::size_t other = 0; other < one; ++other) {
            flip(other);
            hidden += message.compute_seal() == seal ? 1 : 0;
            flip(other);
        }
        flip(one);
    }
    EXPECT_EQ(hidden, 0U);
}

TEST_P(SealOf, AMessageThatIsNumberedKeepsItsSeal) {
    message.seal = message.compute_seal();
    message.number(4711);
    EXPECT_EQ(message.sequence, 4711U);
    EXPECT_EQ(message.seal, message.compute_seal());
    flip(0);
    message.number(4712);
    EXPECT_NE(message.seal, message.compute_seal());
}

INSTANTIATE_TEST_SUITE_P(Messages, SealOf, testing::Bool(),
                         [](const auto& about) { return about.param ? "Full" : "Fresh"; });

}  // namespace
}  // namespace kumi::conductor
