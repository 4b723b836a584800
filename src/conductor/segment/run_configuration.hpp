#pragma once

#include <cstdint>

#include "base/time/time.hpp"
#include "conductor/records/recorder.hpp"
#include "endpoint/parameters.hpp"

namespace kumi::conductor {

/// Where the time between communication calls comes from.
enum class ComputeMode : std::uint8_t {
    kNone = 0,      ///< Only explicit calls (kumi_compute_*) cost time.
    kMeasured = 1,  ///< CPU time of the rank x host speed / node speed.
    kCounted = 2,   ///< Work that the program counts itself, as its compiler has made it do.
};

/// The run's parameters, fixed before the first rank starts. Times in ps, sizes in bytes.
struct RunConfiguration {
    endpoint::Parameters endpoint{};
    std::uint32_t ranks = 0;
    std::uint32_t ranks_per_host = 1;
    std::uint32_t cores_per_host = 1;  ///< Of which each rank's threads have an equal share.
    Duration poll_cost{};              ///< Per polling call.
    Duration clock_cost{};             ///< Per reading of the clock.
    Duration wake_cost{};              ///< Of ringing the doorbell for wake frames.
    /// 0: unknown; then nothing may be counted.
    std::uint64_t node_flops = 1;
    std::int64_t host_speed_num = 1;  ///< Measured CPU time x num / den is virtual time.
    std::int64_t host_speed_den = 1;
    Instant time_limit = kEndOfTime;
    /// A process that is expected to compute for longer than that in real time lets another one run
    /// in parallel. A context switch on another core and back takes some 20 µs.
    std::int64_t long_compute_ns = 50'000;
    ComputeMode compute_mode = ComputeMode::kNone;
    Detail detail = Detail::kFull;
    bool records_operations = false;   ///< Whether what ranks do with messages is put on record.
    bool records_calls = false;        ///< Whether what they ask for is.
    bool profiles_calls = false;       ///< Whether ranks want to know what each call has sent.
    bool classifies_messages = false;  ///< Whether messages are to say what they consist of.
    /// Whether they are to say in which communicator they are sent.
    bool classifies_communicators = false;
    bool runs_ahead = true;  ///< Whether processes may; see pairing.hpp.
};

}  // namespace kumi::conductor
