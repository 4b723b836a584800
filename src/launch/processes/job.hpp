#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "launch/pmi/pmi_server.hpp"
#include "launch/processes/core_claim.hpp"
#include "launch/processes/seed.hpp"
#include "launch/processes/spawn.hpp"
#include "launch/processes/warden.hpp"
#include "launch/unique_fd.hpp"

namespace kumi::launch {

/// Something that happened to a job's processes.
struct JobEvent {
    enum class Kind : std::uint8_t {
        kExited,     ///< With `code`.
        kSignalled,  ///< Killed by `signal`.
        kStopped,    ///< Stopped by `signal`.
        kContinued,
        kPmiAbort,      ///< Asked for the job's end with `code` and `text`.
        kPmiViolation,  ///< Spoke to the process manager what is not PMI-1: `text`.
        kVanished,      ///< A process that is watched, but was not started by us, has ended.
    };
    Kind kind;
    int rank;  ///< Job::kStarter: the one process that starts the ranks itself.
    int code = 0;
    int signal = 0;
    bool core_dumped = false;
    std::string text{};
};

/// What to start. The program's path is not searched for.
struct JobOptions {
    std::uint32_t ranks = 1;
    std::vector<std::string> arguments;
    std::vector<std::string> environment;  ///< `NAME=value`, the whole of it.
    /// Whether `arguments` is one process that starts the ranks itself (Open MPI's mpirun); else it
    /// is started once per rank, served by PMI-1.
    bool starts_ranks_itself = false;
    /// All processes on cores that are claimed for the job, the first of these at the beginning,
    /// with SCHED_BATCH.
    bool pins_to_cores = true;
    std::size_t cores = 1;  ///< To be claimed; 0: all that no other job has.
    /// Code and memory at the same addresses in every rank: what the processor has learned about
    /// the branches of one serves the others.
    bool fixes_addresses = true;
    /// Whether the program may be loaded once and copied for each rank (launch/processes/seed.hpp).
    bool loads_once = false;
    bool writes_answers_ahead = true;  ///< PmiProtocol::Options::write_ahead.
    std::vector<std::pair<std::string, std::string>> pmi_values;  ///< Preset for PMI's `get`.
    std::vector<std::string> temporary_paths;  ///< Removed if the launcher is killed.
};

/// The processes of one run: started, pinned, watched, and killed at the end, to the last one.
///
/// Nothing survives the launcher: children die with the thread that started them, and a warden
/// kills whatever else carries the job's mark. Not thread-safe; to be used by one thread.
class Job {
   public:
    /// Claims cores; nothing is started yet.
    explicit Job(JobOptions options);
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    static constexpr int kStarter = -1;

    /// Starts everything. Throws std::system_error; then nothing is left running.
    void start();

    /// Serves the processes until something happens or `timeout_ms` has passed, or a signal came
    /// in.
    std::vector<JobEvent> step(int timeout_ms);

    /// Reports kVanished for `rank` when process `pid`, which others started, ends.
    void watch(std::uint32_t rank, pid_t pid);

    /// Kills every process of the job, stopped ones too, waits for them, and removes the shared
    /// memory they left. Idempotent. False if some could not be killed within five seconds.
    bool kill_all();

    /// The process id of `rank` (kStarter: of the starter); 0 if it was not started by us.
    pid_t pid(int rank) const;
    /// Processes started by us that have not ended yet.
    std::uint32_t running() const { return x_running; }
    PmiPhase pmi_phase(std::uint32_t rank) const;
    const std::string& name() const { return x_name; }
    /// Those claimed; empty if processes are not pinned.
    std::vector<int> cores() const { return x_claim ? x_claim->cores() : std::vector<int>(); }
    /// User plus system time of the processes that have ended, with their waited-for children.
    double cpu_seconds() const { return x_cpu_seconds; }

   private:
    struct Process {
        pid_t pid = 0;
        UniqueFd pidfd;
        bool is_running = false;
    };

    std::uint32_t process_count() const;
    int rank_of(std::uint32_t index) const;
    void start_processes();
    SpawnRequest common_request() const;
    pid_t start_process(std::uint32_t index, Seed* seed);
    /// Whether the process is there still.
    bool follow(Process& process, pid_t pid, std::uint64_t tag);
    void raise_open_file_limit();
    void handle(std::uint64_t tag, std::vector<JobEvent>& events);
    void reap(std::uint32_t index, std::vector<JobEvent>& events);
    void collect_stops(std::vector<JobEvent>& events);
    void collect_notices(std::vector<JobEvent>& events);
    bool kill_and_wait(Process& process);
    void forget(Process& process);

    JobOptions x_options;
    std::string x_name;
    UniqueFd x_epoll;
    std::optional<CoreClaim> x_claim;
    std::unique_ptr<PmiServer> x_pmi;
    std::unique_ptr<Warden> x_warden;
    std::vector<Process> x_processes;
    std::vector<Process> x_watched;  ///< By rank; those that a starter started.
    std::uint32_t x_running = 0;
    pid_t x_group = 0;
    rlim_t x_open_file_limit = 0;  ///< What the ranks get.
    double x_cpu_seconds = 0;
};

}  // namespace kumi::launch
