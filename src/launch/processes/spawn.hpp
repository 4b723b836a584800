#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace kumi::launch {

/// One process to start.
struct SpawnRequest {
    std::vector<std::string> arguments;  ///< arguments[0] is the program's path, not searched for.
    std::vector<std::string> environment;  ///< `NAME=value`.
    std::vector<int> inherited_fds;        ///< Stay open under the same number; the rest is closed.
    bool keeps_stdin = false;              ///< Else stdin is /dev/null.
    int core = -1;                         ///< The one core to run on; -1: any.
    /// Code and memory at the same addresses in every process, where the system allows it.
    bool fixes_addresses = false;
    bool is_batch = false;            ///< SCHED_BATCH: it does not preempt others when resumed.
    pid_t process_group = 0;          ///< 0: leads a new one.
    std::size_t open_file_limit = 0;  ///< Soft limit of open files; 0: as the caller has it.
};

/// Starts a process and returns its id; it is killed when the starting thread ends. Signals are as
/// in a fresh process: default actions, none blocked. Throws std::system_error with the reason if
/// the program cannot be executed.
pid_t spawn_process(const SpawnRequest& request);

/// User plus system time.
double seconds_of(const rusage& usage);

}  // namespace kumi::launch
