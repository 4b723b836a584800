#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>

#include "launch/processes/spawn.hpp"
#include "launch/unique_fd.hpp"

namespace kumi::launch {

/// A process that has loaded the program and its libraries, but has not begun to run it: every rank
/// is a copy of it, which saves the time and the private memory of loading them again.
///
/// Its other end is in the shim (src/mpi/process/seed_process.cpp). The copies are children of the
/// launcher's, not of the seed's.
class Seed {
   public:
    /// Starts the program as a seed. Nothing if it cannot be one: it starts threads while it is
    /// loaded, for instance, or the shim is not loaded. Throws std::system_error if it cannot be
    /// executed.
    static std::unique_ptr<Seed> start(SpawnRequest request);
    ~Seed() { end(); }
    Seed(const Seed&) = delete;
    Seed& operator=(const Seed&) = delete;

    /// Starts `rank` of `ranks`, which speaks PMI over `pmi_fd`; returns its process id. Throws
    /// std::system_error.
    pid_t start_rank(std::uint32_t rank, std::uint32_t ranks, int pmi_fd);

    /// Of all ranks, too.
    pid_t process_group() const { return x_pid; }

    /// Ends the seed, which no rank needs any more, and returns the CPU time that it took, in
    /// seconds.
    double end();

   private:
    Seed(pid_t pid, UniqueFd socket) : x_pid(pid), x_socket(std::move(socket)) {}
    bool becomes_ready();

    pid_t x_pid;
    UniqueFd x_socket;
};

}  // namespace kumi::launch
