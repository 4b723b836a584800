#pragma once

#include <array>
#include <cstdint>

#include "base/random/random_stream.hpp"

namespace kumi::network {

/// The Gray code of a level: its most significant bit is bit 1 of the formulas.
constexpr std::uint32_t gray_of(std::uint32_t level) { return level ^ level >> 1; }

/// What white Gaussian noise does to one axis of a constellation, decided for the nearest level.
/// Plain data.
class AxisErrors {
   public:
    static constexpr std::uint32_t kMostBits = 6;
    static constexpr std::uint32_t kMostLevels = 1U << kMostBits;

    AxisErrors() = default;
    /// @param bits   Of an axis, 1 to kMostBits; it has 2 to that power levels.
    /// @param reach  Half the distance of neighbouring levels over the square root of the noise's
    ///               spectral density N0: sqrt(3 Es/N0 / (2 (M - 1))) for square QAM of M points.
    AxisErrors(std::uint32_t bits, double reach);

    std::uint32_t bits() const { return x_bits; }
    std::uint32_t levels() const { return 1U << x_bits; }

    /// Probability that one level is sent and the other is decided for. Not their difference: tiny
    /// ones are exact too.
    double transition(std::uint32_t sent, std::uint32_t decided) const;
    /// Probability that not the level is decided for that was sent.
    double level_error(std::uint32_t sent) const;
    /// Probability that a level out of equally likely ones is not decided for.
    double mean_level_error() const;

    /// Probability that a bit of equally likely ones is wrong: 1 is the most significant, and
    /// `bits()` the least significant position. The formula of [Cho02].
    double bit_error(std::uint32_t position) const;
    /// Of all positions alike.
    double mean_bit_error() const;

   private:
    /// Probability that noise goes beyond that many times half the distance, in one direction.
    double beyond(std::uint32_t halves) const { return x_beyond[halves / 2]; }

    std::uint32_t x_bits = 1;
    std::array<double, kMostLevels> x_beyond{};  ///< Of 1, 3, 5, ... halves.
};

/// The reach of one axis at a ratio of energy per symbol to noise density, as a plain ratio.
/// @param bits  Of an axis.
/// @param axes  1 or 2; the energy of a symbol is that of all axes.
double reach_of(std::uint32_t bits, std::uint32_t axes, double snr);
/// The other way round.
double snr_of(std::uint32_t bits, std::uint32_t axes, double reach);

/// The reach at which the mean bit error rate is the one given, above 0 and below that of noise
/// alone, to the last bits of a double.
double reach_for_bit_error(std::uint32_t bits, double bit_error);

/// Plain ratio of a number of decibels, and the other way round.
double ratio_of_db(double db);
double db_of_ratio(double ratio);

/// Which bits of an axis are wrong together, and how often, for bits that a link scrambles: every
/// level is equally likely, whatever the payload. Plain data.
class ErrorPatterns {
   public:
    ErrorPatterns() = default;
    explicit ErrorPatterns(const AxisErrors& axis);

    /// Bits of an axis.
    std::uint32_t bits() const { return x_bits; }
    /// Probability that an axis has an error.
    double rate() const { return x_rate; }
    /// Probability that just these bits are wrong; bit 0 of the pattern is the least significant.
    double probability(std::uint32_t pattern) const { return x_probability[pattern]; }
    /// Probability that one of these bits or several are wrong.
    double any_of(std::uint32_t mask) const;
    /// Probability that a bit is wrong: 1 is the most significant position.
    double bit_error(std::uint32_t position) const;
    double mean_bit_error() const;

    /// A pattern of an axis that has an error, by how often each occurs.
    std::uint32_t draw(RandomStream& random) const;

   private:
    std::uint32_t x_bits = 1;
    double x_rate = 0;
    std::array<double, AxisErrors::kMostLevels> x_probability{};
    /// Patterns, the most frequent first, and the sums of their probabilities up to each.
    std::array<std::uint8_t, AxisErrors::kMostLevels> x_order{};
    std::array<double, AxisErrors::kMostLevels> x_up_to{};
};

}  // namespace kumi::network
