#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "launch/unique_fd.hpp"

namespace kumi::launch {

/// A small process that outlives the launcher.
///
/// When the launcher ends without having dismissed its warden, by kill -9 for instance, the warden
/// kills every process of the job, wherever it has gone, and removes the job's shared memory and
/// temporary files.
class Warden {
   public:
    /// Starts the warden of job `job_name`. `paths` are files or folders to remove when the
    /// launcher dies. Throws std::system_error.
    Warden(std::string job_name, std::vector<std::string> paths);
    ~Warden() { dismiss(); }
    Warden(const Warden&) = delete;
    Warden& operator=(const Warden&) = delete;

    /// The job has ended regularly: the warden goes away without touching anything.
    void dismiss();

    pid_t pid() const { return x_pid; }

   private:
    UniqueFd x_lifeline;  ///< The warden sees its other end close when the launcher dies.
    pid_t x_pid = -1;
};

}  // namespace kumi::launch
