// Link-level retry against its closed forms and against frames that are sent one by one.

#include "network/channel/correction/retry.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kumi::network {
namespace {

using namespace literals;

TEST(Retry, CountsAreNegativeBinomial) {
    const RandomStreams streams(5, "test");
    for (const double error : {0.0, 1e-3, 0.05, 0.5}) {
        const std::uint64_t frames = 100;
        const std::uint64_t messages = 20'000;
        double sum = 0;
        double squares = 0;
        for (std::uint64_t message = 0; message < messages; ++message) {
            const auto retries =
                static_cast<double>(draw_retries(frames, error, streams.stream(message)));
            sum += retries;
            squares += retries * retries;
        }
        const double mean = mean_retries(frames, error);
        const double variance = mean / (1 - error);
        EXPECT_DOUBLE_EQ(mean, frames * error / (1 - error));
        EXPECT_NEAR(sum / messages, mean, 5 * std::sqrt(variance / messages) + 1e-12);
        EXPECT_NEAR(squares / messages - mean * mean, variance, 0.1 * variance + 1e-12);
    }
}

TEST(Retry, AWindowThatIsTooShortLimitsTheRate) {
    // A frame of 1000 B takes 80 ns at 100 Gb/s; with a round trip of 320 ns, 5 keep it busy.
    Retry retry{1000, 5, 320_ns};
    EXPECT_EQ(time_of_retry(retry, 100'000'000'000), 400_ns);
    EXPECT_EQ(windowed_rate_bps(retry, 100'000'000'000), 100'000'000'000U);
    retry.window = 4;
    EXPECT_EQ(windowed_rate_bps(retry, 100'000'000'000), 80'000'000'000U);
    retry.window = 1;
    EXPECT_EQ(windowed_rate_bps(retry, 100'000'000'000), 20'000'000'000U);
}

/// Go-back-N with a clock: a frame that fails is known of after its time and the round trip, and
/// everything sent in between is sent again.
TEST(Retry, ItsTimeIsThatOfFramesSentOneByOne) {
    const Retry retry{1000, 5, 320_ns};
    const std::uint64_t rate = 100'000'000'000;
    RandomStream random = RandomStreams(8, "test").stream(1);
    const double error = 0.02;
    const std::uint64_t frames = 100'000;
    std::int64_t clock = 0;
    for (std::uint64_t done = 0; done < frames;) {
        if (random.uniform() < error) {
            clock += 80'000 + 320'000;  // The far end drops all frames until this one comes again.
        } else {
            clock += 80'000;
            ++done;
        }
    }
    const double closed =
        frames * 80'000.0 +
        mean_retries(frames, error) * static_cast<double>(time_of_retry(retry, rate).ps);
    EXPECT_NEAR(static_cast<double>(clock) / closed, 1, 0.02);
}

TEST(Retry, AFrameIsWrongIfAnyOfItsPartsIs) {
    EXPECT_NEAR(frame_error(0.5, 2), 0.75, 1e-15);
    EXPECT_NEAR(frame_error(1e-15, 8192) / 8.192e-12, 1, 1e-9);
    EXPECT_EQ((Retry{256, 1, {}}).frames(0), 1U);
    EXPECT_EQ((Retry{256, 1, {}}).frames(256), 1U);
    EXPECT_EQ((Retry{256, 1, {}}).frames(257), 2U);
}

}  // namespace
}  // namespace kumi::network
