#pragma once

#include <array>
#include <cstdint>

#include "base/random/random_stream.hpp"
#include "network/channel/axis_errors.hpp"

namespace kumi::network {

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
