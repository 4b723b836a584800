#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "network/channel/axis_errors.hpp"
#include "network/channel/encoding.hpp"

namespace kumi::network {

/// Noise that comes in bursts, after Gilbert and Elliott [Elliott63]: a Markov chain of two states,
/// which may change between one axis of a symbol and the next. Plain data.
struct Bursts {
    double share = 0;   ///< Of the axes that lie in bursts, below 1. 0: there are none.
    double length = 1;  ///< Mean of a burst, in axes, 1 or more.
    double snr = 0;     ///< Energy per symbol over noise density within bursts, a plain ratio.

    bool happen() const { return share > 0; }
    /// Probability that the axis after one in a burst is not in one.
    double leave() const { return 1 / length; }
    /// Probability that the axis after one outside is in a burst; at most 1, which bounds `share`
    /// by length / (length + 1).
    double enter() const { return share / (1 - share) / length; }
};

/// How bits become symbols: equidistant levels, symmetric about zero, on one axis or, for square
/// QAM, on two that are alike and independent. Levels are Gray-mapped: neighbours differ in one
/// bit.
struct Modulation {
    std::string_view name;
    std::uint32_t bits_per_axis = 1;  ///< An axis has 2 to that power levels.
    std::uint32_t axes = 1;

    constexpr std::uint32_t levels() const { return 1U << bits_per_axis; }
    constexpr std::uint32_t bits_per_symbol() const { return bits_per_axis * axes; }
    /// Whether every second level of an axis still carries a bit: see Encoding::protected_bits.
    constexpr bool can_be_thinned() const { return bits_per_axis > 1; }
};

/// All that there are, from few levels to many.
inline constexpr std::array<Modulation, 7> kModulations{{
    {"nrz", 1, 1},
    {"pam4", 2, 1},
    {"qam16", 2, 2},
    {"qam64", 3, 2},
    {"qam256", 4, 2},
    {"qam1024", 5, 2},
    {"qam4096", 6, 2},
}};

/// The modulation of that name, or none.
constexpr std::optional<Modulation> find_modulation(std::string_view name) {
    const auto* found = std::ranges::find(kModulations, name, &Modulation::name);
    return found == kModulations.end() ? std::nullopt : std::optional(*found);
}

/// Errors of one axis with all its levels, and with every second one.
struct MappedErrors {
    ErrorPatterns all;
    ErrorPatterns thinned;  ///< Means nothing if the modulation cannot be thinned.
};

/// A link as a channel for bits: modulation and noise, made ready for drawing errors. Plain data.
struct Channel {
    Modulation modulation;
    Bursts bursts;
    MappedErrors outside;  ///< Of bursts.
    MappedErrors inside;   ///< Equal if there are none.

    /// Mean bit error rate of symbols with all levels, bursts included.
    double bit_error() const;
    /// Of one position of an axis, 1 the most significant.
    double bit_error(std::uint32_t position) const;
    /// The same of symbols with every second level.
    double protected_bit_error(std::uint32_t position) const;
};

/// @param snr  Energy per symbol over noise density, a plain ratio; outside of bursts.
Channel make_channel(const Modulation& modulation, double snr, const Bursts& bursts = {});

/// How a link without error correction corrupts bits of messages for which errors are allowed.
/// Plain data.
struct LinkNoise {
    Channel channel;
    BitOrder order = BitOrder::kInOrder;  ///< How unprotected bits are put in symbols.
};

}  // namespace kumi::network
