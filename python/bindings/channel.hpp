#pragma once

#include <string>

#include "network/channel/channel.hpp"

/// Each throws std::invalid_argument if there is no such modulation, or no noise with which it has
/// that share of wrong bits.
kumi::network::Modulation modulation_of(const std::string& name);
/// Energy per symbol over noise density, a plain ratio.
double snr_of_bit_error(const kumi::network::Modulation& modulation, double bit_error);
