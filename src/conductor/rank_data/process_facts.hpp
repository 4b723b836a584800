#pragma once

#include <atomic>
#include <cstdint>

#include "base/call_name.hpp"
#include "base/time/real_clock.hpp"
#include "base/time/time.hpp"
#include "endpoint/request.hpp"

namespace kumi::conductor {

/// What is known of a rank's process and its MPI library.
struct ProcessFacts {
    std::atomic<std::uint32_t> real_clocks{0};  ///< Which the program was seen to read: RealClock.
    std::atomic<std::int32_t> pid{0};
    std::atomic<std::int32_t> exit_code{-1};  ///< What it gave to exit(); -1: it has not called it.
    /// It is never ahead again: other threads of the process look at its clock, or its MPI library
    /// goes on with something in the background, which depends on how often that makes progress.
    std::atomic<bool> stays_in_time{false};
    bool uses_windows = false;  ///< Has called a window function: others may look at its memory.
    bool polls_longer = false;  ///< Its MPI library makes progress while it polls.
};

/// Requests of a rank that something outside of MPI completes; see outside.hpp.
struct OutsideRequests {
    std::atomic<std::uint32_t> open{0};       ///< Its part of ConductorState::outside.
    std::atomic<std::uint32_t> completed{0};  ///< Of these, since it looked for them last.
};

/// The MPI call that a rank is in, for messages to the user.
struct alignas(64) PresentCall {
    CallName name;
    std::uint32_t waiting_count = 0;              ///< Receives that are not complete.
    std::uint32_t waiting_for = endpoint::kNone;  ///< The oldest of these.
    Instant begin{};
    std::uint32_t members = 0;  ///< In a profiled run: of the communicator that it names, or 0.
};

}  // namespace kumi::conductor
