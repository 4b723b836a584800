#pragma once

#include <cstdint>

#include "conductor/records/records.hpp"

namespace kumi::conductor {

/// When a rank's process ran, what it waits for, and where it goes on. Written whenever it is
/// handed the baton, or its rank's clock moves into another state.
struct TurnData {
    std::uint64_t ran_last = 0;  ///< The number of the handover by which it did.
    StateRecord last_stretch{};  ///< Not written yet; ends at 0 if there is none.
    /// The number of awaited requests that are not certain, and one more if `awaits_others`; 0 if
    /// that does not matter.
    std::uint32_t uncertain = 0;
    /// Other receives may still get a message that is to be answered.
    bool awaits_others = false;
    bool awaits_one = false;  ///< It awaits no more than one request.
    bool is_away = false;     ///< Its process works without the baton; see baton.hpp.
    /// How often its process is inside of a port. If it is, no signal handler may be.
    std::uint8_t visits = 0;
    bool computes_long = false;     ///< In parallel with others, as far as is known.
    bool is_away_for_long = false;  ///< The last time that it went away, as far as was known.
    std::uint32_t core = 0;         ///< On which its process is, or was last.
    std::uint64_t received = 0;     ///< Messages of the rank when it had caught up last.
};

}  // namespace kumi::conductor
