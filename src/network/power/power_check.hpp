#pragma once

#include "network/power/states/power_description.hpp"

namespace kumi::network {

/// Throws std::invalid_argument with a plain sentence if no link can be like that.
void check_power(const PowerDescription& power);

}  // namespace kumi::network
