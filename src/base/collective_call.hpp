#pragma once

#include <cstddef>
#include <cstdint>

namespace kumi::inline base {

/// Collective operations of MPI that may be carried out by a schedule.
enum class CollectiveFunction : std::uint8_t {
    kAlltoall,
    kBarrier,
    kAllreduce,
    kBcast,
    kAllgather,
    kAlltoallv,
    kReduceScatterBlock
};
inline constexpr std::size_t kCollectiveFunctions = 7;

/// What the instants of a schedule's steps depend on, on the same ranks.
struct ScheduleKey {
    CollectiveFunction function{};
    std::uint64_t size_bytes = 0;
    std::uint64_t variant = 0;  ///< Of the algorithm: which one, and for example its root.
    bool operator==(const ScheduleKey&) const = default;
};

/// What carries out a call of one of them: a schedule, or the MPI library and for what reason. All
/// ranks of a communicator must come to the same choice, each by itself.
enum class CollectiveChoice : std::uint8_t {
    kScheduled,
    kCommunicator,  ///< It has two groups, or ranks that are not in MPI_COMM_WORLD.
    kShape,         ///< The hosts of its ranks form no torus that the algorithm can use.
    kSize,          ///< Nothing is to be moved, or more than the algorithm can.
    kArguments,     ///< They make no sense, which the MPI library reports.
    kOperation,     ///< It is a user's, or nothing that is known for the type.
    kHint,          ///< It is outside of the program's regions with the hint IN_KERNEL.
};
inline constexpr std::size_t kCollectiveChoices = 7;

}  // namespace kumi::inline base
