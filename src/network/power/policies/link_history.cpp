#include "network/power/policies/link_history.hpp"

#include <algorithm>
#include <bit>

namespace kumi::network {

void LinkHistory::note(const PowerDescription& power, Duration idle, Duration wake,
                       const PowerTimes& times) {
    const int log2 = std::bit_width(static_cast<std::uint64_t>(idle.ps)) - 1;
    const std::uint32_t length = std::min(static_cast<std::uint32_t>(log2), kClasses - 1);
    ++idles[length];
    idle_time[length] += idle;
    waited += wake;
    held_up += wake;
    if (power.on_uw == 0) return;
    const Energy drawn = times.energy(power);
    const Energy active = (drawn + power.on_uw - 1) / power.on_uw;
    saved += idle + wake - Duration{static_cast<std::int64_t>(active)};
}

}  // namespace kumi::network
