#pragma once

#include "network/channel/bursts.hpp"
#include "network/channel/error_patterns.hpp"
#include "network/channel/modulation.hpp"

namespace kumi::network {

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

}  // namespace kumi::network
