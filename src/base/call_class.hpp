#pragma once

#include <cstdint>

namespace kumi::inline base {

/// How an MPI call may wait, which decides what an empty poll inside it means. The order is that of
/// recorded calls.
enum class CallClass : std::uint8_t {
    kLocal = 0,     ///< Never waits.
    kBlocking = 1,  ///< Returns only when something has happened, or at once.
    kPolling = 2,   ///< Looks and returns (MPI_Test, MPI_Iprobe).
    kWindow = 3,    ///< As kBlocking, but the library may poll often before it makes progress.
    kProbe = 4,     ///< MPI_Probe, MPI_Mprobe: blocking, but asks again and again.
    /// As kBlocking, and the library goes on with what it starts in every call that makes progress.
    kBackground = 5,
    kSynchronous = 6,  ///< As kBlocking, and the receiver's library may answer what it sends.
};

}  // namespace kumi::inline base
