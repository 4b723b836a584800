// What error correction leaves, against the binomial law and against words drawn axis by axis.
// Link-level retry against its closed forms and against frames that are sent one by one.

#include "network/channel/correction.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "network/channel/error_walk.hpp"
#include "network/testing/chi_square_for_tests.hpp"

namespace kumi::network {
namespace {

double binomial(std::uint32_t n, std::uint32_t j, double p) {
    return std::exp(std::lgamma(n + 1.0) - std::lgamma(j + 1.0) - std::lgamma(n - j + 1.0) +
                    j * std::log(p) + (n - j) * std::log1p(-p));
}

TEST(Fec, CodesAreThoseOfTheStandard) {
    EXPECT_EQ(find_fec("rs528")->correctable(), 7U);
    EXPECT_EQ(find_fec("rs544")->correctable(), 15U);
    EXPECT_FALSE(find_fec("none")->corrects());
    EXPECT_FALSE(find_fec("rs255").has_value());
}

TEST(Fec, WithoutBurstsFailuresAreBinomial) {
    for (const char* modulation : {"nrz", "pam4", "qam16", "qam1024"}) {
        for (const double bit_error : {1e-2, 1e-3, 1e-5}) {
            const Modulation found = *find_modulation(modulation);
            const std::uint32_t bits = found.bits_per_axis;
            const double reach = reach_for_bit_error(bits, bit_error);
            const Channel channel = make_channel(found, snr_of(bits, found.axes, reach));
            const double axis = AxisErrors(bits, reach).mean_level_error();
            const double symbol = -std::expm1(10.0 / bits * std::log1p(-axis));
            for (const char* code : {"rs528", "rs544"}) {
                const FecCode fec = *find_fec(code);
                const ResidualErrors residual(fec, channel);
                EXPECT_NEAR(residual.symbol_error() / symbol, 1, 1e-9);
                double failure = 0;
                for (std::uint32_t j = fec.word_symbols; j > fec.correctable(); --j) {
                    failure += binomial(fec.word_symbols, j, symbol);
                }
                EXPECT_NEAR(residual.word_failure() / failure, 1, 1e-7);
                EXPECT_LT(residual.bit_error(), channel.bit_error() * 1.0000001);
            }
        }
    }
}

TEST(Fec, TenBitsThatMeetAxesUnevenlyHaveTheMeanOfAllWays) {
    const Channel channel = make_channel(*find_modulation("qam64"), ratio_of_db(22));
    const ErrorPatterns& axis = channel.outside.all;
    // Three bits an axis: of three symbols, one has 3 whole axes and one bit more, and so on.
    const double whole = 1 - axis.rate();
    const double right[] = {std::pow(whole, 3) * (1 - axis.any_of(4)),
                            (1 - axis.any_of(3)) * std::pow(whole, 2) * (1 - axis.any_of(6)),
                            (1 - axis.any_of(1)) * std::pow(whole, 3)};
    const double expected = 1 - (right[0] + right[1] + right[2]) / 3;
    const ResidualErrors residual(*find_fec("rs528"), channel);
    EXPECT_NEAR(residual.symbol_error() / expected, 1, 1e-9);
}

/// Words drawn axis by axis, in bursts.
TEST(Fec, WithBurstsFailuresAreThoseOfWordsThatAreDrawn) {
    const Bursts bursts{0.02, 60, ratio_of_db(8)};
    const Channel channel = make_channel(*find_modulation("pam4"), ratio_of_db(18), bursts);
    const FecCode fec = *find_fec("rs528");
    const ResidualErrors residual(fec, channel);
    const std::uint64_t words = 40'000;
    const std::uint64_t axes = 528 * 5;
    std::vector<std::uint64_t> seen(529);
    const RandomStreams streams(3, "test");
    for (std::uint64_t word = 0; word < words; ++word) {
        ErrorWalk walk(channel.outside.all, channel.inside.all, bursts, streams.stream(word), axes);
        std::uint32_t wrong = 0;
        std::uint64_t last = axes;
        for (AxisError error; walk.next(error); last = error.axis / 5) {
            if (error.axis / 5 != last) ++wrong;
        }
        ++seen[wrong];
    }
    std::vector<double> expected(529);
    for (std::uint32_t j = 0; j <= 528; ++j) expected[j] = words * residual.wrong_symbols(j);
    const ChiSquare test = chi_square(seen, expected);
    EXPECT_GT(test.probability, 1e-3) << test.statistic << " of " << test.degrees;
    // Bursts are what such a code cannot put right: far more fail than without.
    EXPECT_GT(residual.word_failure(), 0.01);
}

TEST(Fec, FailuresOfAMessageAreDrawnAsOftenAsTheyAre) {
    const Channel channel = make_channel(*find_modulation("pam4"), ratio_of_db(14.2));
    const ResidualErrors residual(*find_fec("rs528"), channel);
    ASSERT_GT(residual.word_failure(), 1e-3);
    ASSERT_LT(residual.word_failure(), 0.5);
    const std::uint64_t words = 1 << 20;
    const ResidualErrors::Failures failures =
        residual.draw(words, RandomStreams(1, "test").stream(0));
    const double expected = words * residual.word_failure();
    EXPECT_NEAR(static_cast<double>(failures.words), expected, 5 * std::sqrt(expected));
    double symbols = 0;
    for (std::uint32_t j = 8; j <= 528; ++j) symbols += j * residual.wrong_symbols(j);
    EXPECT_NEAR(static_cast<double>(failures.symbols) / failures.words,
                symbols / residual.word_failure(), 0.1);
}

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

/// Go-back-N with a clock: a frame that fails is known of after its time and the round trip, and
/// everything sent in between is sent again.
TEST(Retry, ItsTimeIsThatOfFramesSentOneByOne) {
    const Retry retry{1000, 320_ns};
    // A frame takes 80 ns.
    const std::uint64_t rate = 100'000'000'000;
    EXPECT_EQ(time_of_retry(retry, rate), 400_ns);
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
    EXPECT_EQ((Retry{256, {}}).frames(0), 1U);
    EXPECT_EQ((Retry{256, {}}).frames(256), 1U);
    EXPECT_EQ((Retry{256, {}}).frames(257), 2U);
}

}  // namespace
}  // namespace kumi::network
