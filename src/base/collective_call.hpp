#pragma once

#include <cstddef>
#include <cstdint>

namespace kumi {

/// Collective operations of MPI that may be carried out by a schedule.
enum class CollectiveFunction : std::uint8_t { kAlltoall };
inline constexpr std::size_t kCollectiveFunctions = 1;

/// Who carries out a call of one of them: a schedule, or the MPI library and for what reason. All
/// ranks of a communicator must come to the same choice, each by itself.
enum class CollectiveChoice : std::uint8_t {
    kScheduled,
    kCommunicator,  ///< Not all ranks of the run belong to the communicator, or two groups do.
    kShape,         ///< The hosts of its ranks form no torus that the algorithm can use.
    kSize,          ///< Nothing is to be moved, or more than the algorithm can.
    kArguments,     ///< They make no sense, which the MPI library reports.
};
inline constexpr std::size_t kCollectiveChoices = 5;

}  // namespace kumi
