#include "mpi/clocks/rank_stage.hpp"

#include <unistd.h>

#include <cstdlib>

#include "mpi/clocks/kernel_clock.hpp"
#include "mpi/clocks/program_time.hpp"

namespace kumi::mpi {

constinit std::atomic<Stage> detail::stage{Stage::kUndecided};
constinit thread_local int detail::call_depth = 0;
constinit std::atomic<const void*> detail::rank_thread{nullptr};

namespace {

// Written before the stage that uses it begins.
constinit std::int64_t began_ns = 0;

bool environment_names_rank() {
    return std::getenv("KUMI_SEGMENT") != nullptr &&
           (std::getenv("PMI_RANK") != nullptr || std::getenv("OMPI_COMM_WORLD_RANK") != nullptr);
}

}  // namespace

Stage detail::decide_stage() {
    // Code that runs before libc has its environment cannot belong to the program.
    if (environ == nullptr) return Stage::kOutside;
    Stage undecided = Stage::kUndecided;
    if (!environment_names_rank()) {
        detail::stage.compare_exchange_strong(undecided, Stage::kOutside);
    } else {
        timespec now{};
        kernel_clock_gettime(CLOCK_MONOTONIC, &now);
        began_ns = now.tv_sec * kSecond_ns + now.tv_nsec;
        detail::stage.compare_exchange_strong(undecided, Stage::kStarting);
    }
    return detail::stage.load(std::memory_order_acquire);
}

std::int64_t started_at_ns() { return began_ns; }

}  // namespace kumi::mpi
