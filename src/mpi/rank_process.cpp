#include "mpi/rank_process.hpp"

#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "mpi/program_time.hpp"
#include "mpi/real_time.hpp"

namespace kumi::mpi {

namespace detail {
constinit std::atomic<Stage> stage{Stage::kUndecided};
constinit thread_local int call_depth = 0;
constinit std::atomic<const void*> rank_thread{nullptr};
}  // namespace detail

namespace {

// Written before the stage that uses them begins.
constinit std::int64_t started_at_ns = 0;  // Real time.
constinit std::int64_t ended_at_ns = 0;    // Real time.
constinit std::int64_t ended_with_ns = 0;  // What the program's clocks said then.

bool environment_names_rank() {
    return std::getenv("KUMI_SEGMENT") != nullptr &&
           (std::getenv("PMI_RANK") != nullptr || std::getenv("OMPI_COMM_WORLD_RANK") != nullptr);
}

void end_at(std::int64_t elapsed) {
    ended_with_ns = elapsed;
    ended_at_ns = real_monotonic_ns();
    detail::stage.store(Stage::kEnded, std::memory_order_release);
}

// A child of the rank goes on from what the clocks said, but it is not the rank.
constinit std::int64_t forked_with_ns = 0;
void before_fork() {
    if (stage() != Stage::kOutside) forked_with_ns = elapsed_ns(ClockUse::kPeek);
}
void in_child() {
    if (stage() != Stage::kOutside) end_at(forked_with_ns);
}

__attribute__((constructor)) void start() {
    // A process that is no rank stays exactly as it was.
    if (stage() != Stage::kOutside) pthread_atfork(before_fork, nullptr, in_child);
}

}  // namespace

Stage detail::decide_stage() {
    // Code that runs before libc has its environment cannot belong to the program.
    if (environ == nullptr) return Stage::kOutside;
    Stage undecided = Stage::kUndecided;
    if (!environment_names_rank()) {
        detail::stage.compare_exchange_strong(undecided, Stage::kOutside);
    } else {
        started_at_ns = real_monotonic_ns();
        detail::stage.compare_exchange_strong(undecided, Stage::kStarting);
    }
    return detail::stage.load(std::memory_order_acquire);
}

bool attach_to_run() {
    if (stage() != Stage::kStarting) return stage() == Stage::kVirtual;
    static constinit bool attached = false;
    if (!attached) attached = run_link::attach();
    if (attached) return true;
    std::fprintf(stderr, "kumihimo: this process cannot take part in the run\n");
    std::_Exit(1);
}

void join_run() {
    run_link::join();
    detail::rank_thread.store(&detail::call_depth, std::memory_order_relaxed);
    detail::stage.store(Stage::kVirtual, std::memory_order_release);
}

void finish_run() {
    run_link::finish();
    end_at(virtual_ns(run_link::now()));
}

std::int64_t elapsed_ns(ClockUse use) {
    switch (stage()) {
        case Stage::kVirtual:
            return virtual_ns(use == ClockUse::kReading && spends_virtual_time()
                                  ? run_link::read_clock()
                                  : run_link::now());
        case Stage::kEnded:
            return ended_with_ns + (real_monotonic_ns() - ended_at_ns);
        default:
            return starting_ns(real_monotonic_ns() - started_at_ns);
    }
}

}  // namespace kumi::mpi
