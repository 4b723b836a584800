// Bit error rates against enumeration of the constellation, and against known values.

#include "network/channel/axis_errors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "network/channel/channel.hpp"

namespace kumi::network {
namespace {

/// Every pair of points of an axis: Gray codes compared, noise integrated between the thresholds.
double enumerated(std::uint32_t bits, double reach, std::uint32_t position) {
    const int levels = 1 << bits;
    double sum = 0;
    for (int sent = 0; sent < levels; ++sent) {
        for (int decided = 0; decided < levels; ++decided) {
            const int differing = (sent ^ sent >> 1) ^ (decided ^ decided >> 1);
            if ((differing >> (bits - position) & 1) == 0) continue;
            // Thresholds lie between levels, which are 2 apart.
            const double low = decided == 0 ? -INFINITY : 2 * (decided - sent) - 1;
            const double high = decided == levels - 1 ? INFINITY : 2 * (decided - sent) + 1;
            sum += low > 0 ? std::erfc(low * reach) - std::erfc(high * reach)
                           : std::erfc(-high * reach) - std::erfc(-low * reach);
        }
    }
    return sum / 2 / levels;
}

TEST(AxisErrors, BitErrorsAreThoseOfTheEnumeratedConstellation) {
    for (const Modulation& modulation : kModulations) {
        const std::uint32_t bits = modulation.bits_per_axis;
        for (const double db : {3.0, 12.0, 20.0, 30.0, 37.47, 42.11}) {
            const double reach = reach_of(bits, modulation.axes, ratio_of_db(db));
            const AxisErrors axis(bits, reach);
            const ErrorPatterns patterns(axis);
            for (std::uint32_t position = 1; position <= bits; ++position) {
                const double expected = enumerated(bits, reach, position);
                if (expected < 1e-290) continue;
                EXPECT_NEAR(axis.bit_error(position) / expected, 1, 1e-9)
                    << modulation.name << " " << db << " dB, bit " << position;
                EXPECT_NEAR(patterns.bit_error(position) / expected, 1, 1e-9);
            }
        }
    }
}

/// Two axes at once: the bit error rate of 16-QAM from all pairs of its points in the plane, with
/// distances in units of the energy of a symbol.
TEST(AxisErrors, ReachIsThatOfTheWholeConstellation) {
    const double snr = ratio_of_db(15);
    double energy = 0;
    for (int i = -3; i <= 3; i += 2) {
        for (int q = -3; q <= 3; q += 2) energy += (i * i + q * q) / 16.0;
    }
    // Noise density N0 = energy / snr; half the distance is 1.
    EXPECT_NEAR(reach_of(2, 2, snr), 1 / std::sqrt(energy / snr), 1e-12);
    EXPECT_NEAR(reach_of(5, 2, snr), std::sqrt(3 * snr / (2 * 1023)), 1e-12);
    EXPECT_NEAR(reach_of(1, 1, snr), std::sqrt(snr), 1e-12);
    EXPECT_NEAR(snr_of(5, 2, reach_of(5, 2, snr)), snr, 1e-9);
    // Known of two levels: half of erfc(sqrt(Es/N0)).
    EXPECT_NEAR(AxisErrors(1, std::sqrt(snr)).bit_error(1), std::erfc(std::sqrt(snr)) / 2, 1e-18);
}

TEST(AxisErrors, SignalToNoiseRatiosOfKnownErrorRates) {
    struct Known {
        std::uint32_t bits;
        double at_1e5, at_1e12;
    };
    for (const Known& known : {Known{2, 19.46, 23.88}, Known{3, 25.57, 30.07},
                               Known{4, 31.53, 36.11}, Known{5, 37.47, 42.11}}) {
        const double first = reach_for_bit_error(known.bits, 1e-5);
        const double second = reach_for_bit_error(known.bits, 1e-12);
        EXPECT_NEAR(db_of_ratio(snr_of(known.bits, 2, first)), known.at_1e5, 0.006);
        EXPECT_NEAR(db_of_ratio(snr_of(known.bits, 2, second)), known.at_1e12, 0.006);
        EXPECT_NEAR(AxisErrors(known.bits, first).mean_bit_error() / 1e-5, 1, 1e-12);
        EXPECT_NEAR(AxisErrors(known.bits, second).mean_bit_error() / 1e-12, 1, 1e-12);
    }
}

/// 37.47 dB.
Channel qam1024_with_an_error_in_1e5() {
    const double snr = snr_of(5, 2, reach_for_bit_error(5, 1e-5));
    EXPECT_NEAR(db_of_ratio(snr), 37.47, 0.006);
    return make_channel(*find_modulation("qam1024"), snr);
}

TEST(AxisErrors, BitsOfAnAxisDifferByTwo) {
    const Channel channel = qam1024_with_an_error_in_1e5();
    const double known[] = {1.61e-6, 3.23e-6, 6.45e-6, 1.29e-5, 2.58e-5};
    for (std::uint32_t position = 1; position <= 5; ++position) {
        EXPECT_NEAR(channel.bit_error(position) / known[position - 1], 1, 0.005);
    }
    EXPECT_NEAR(2 * channel.outside.all.rate(), 1e-4, 1e-6);  // Of a symbol of two axes.
}

TEST(AxisErrors, ThinnedToAQuarterEveryBitKeepsToTheStandard) {
    const Channel channel = qam1024_with_an_error_in_1e5();
    for (std::uint32_t position = 1; position <= 4; ++position) {
        EXPECT_LT(channel.protected_bit_error(position), 1e-12);
    }
    EXPECT_NEAR(channel.protected_bit_error(1), 3.5e-17, 0.05e-17);
    EXPECT_NEAR(channel.protected_bit_error(4), 2.8e-16, 0.05e-16);
}

}  // namespace
}  // namespace kumi::network
