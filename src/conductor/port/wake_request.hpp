#pragma once

#include <cstdint>

#include "base/time/time.hpp"

namespace kumi::conductor {

/// A wake frame that a rank asks its network interface for; see Network::send_wake_frame.
struct WakeRequest {
    std::uint32_t target = 0;  ///< Rank.
    Duration delay{};          ///< Until the frame leaves: a timer of the interface.
    Duration hold{};           ///< By which data may be late.
    std::uint32_t messages = 1;
    bool operator==(const WakeRequest&) const = default;
};

}  // namespace kumi::conductor
