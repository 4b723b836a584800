#pragma once

#include <string_view>

#include "network/testing/network_under_test.hpp"

namespace kumi::network {

/// The links of the pre-wake paper (Matsuyama et al. [Matsuyama18]): 3 µs to sleep, 4 µs to
/// wake, 12 W, asleep a tenth of that; data that come while a link goes to sleep leave at once.
inline PowerDescription papers_links(std::string_view policy) {
    PowerDescription power;
    power.mode_count = 1;
    power.modes[0] = {.sleep_time = {3'000'000},
                      .wake_time = {4'000'000},
                      .early_wake_time = {4'000'000},
                      .low_uw = 1'200'000};
    power.on_uw = power.sleep_uw = power.wake_uw = power.refresh_uw = 12'000'000;
    power.policy = find_link_policy(policy);
    power.threshold = {50'000'000};
    power.deep_after = kForever;
    power.slowdown_ppm = 10'000;
    power.frame_bytes = 64;
    return power;
}

/// Four hosts at a switch; links of 5 Gb/s (1.6 ns a byte) and 100 ns.
inline PlatformUnderTest papers_platform(const PowerDescription& power) {
    PlatformUnderTest platform;
    platform.link = {5'000'000'000, {100'000}};
    platform.power = power;
    return platform;
}

/// A message of these bytes takes kLength on such a link and, since a switch sends it on at its
/// first bit, kWay from host to host.
inline constexpr std::uint64_t kBytes = 1000;
inline constexpr Duration kLength{1'600'000};
inline constexpr Duration kWay{200'000 + kLength.ps};

inline Duration spent(const LinkPowerSummary& summary, PowerState state) {
    return summary.times.spent[static_cast<std::uint32_t>(state)];
}

}  // namespace kumi::network
