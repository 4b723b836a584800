#include "mpi/time_functions/skipped_sleeps.hpp"

#include <atomic>

#include "mpi/clocks/caller.hpp"
#include "mpi/clocks/rank_stage.hpp"

namespace kumi::mpi {
namespace {

constinit std::atomic<bool> has_begun{false};
constinit std::atomic<std::int64_t> skipped{0};

bool is_skipped(const void* caller) {
    return has_begun.load(std::memory_order_relaxed) && stage() == Stage::kStarting &&
           is_counter_timing_code(caller);
}

}  // namespace

void begin_to_skip_sleeps() { has_begun.store(true, std::memory_order_relaxed); }

bool skips_sleep(const void* caller) {
    if (!is_skipped(caller)) return false;
    skipped.fetch_add(1, std::memory_order_relaxed);
    return true;
}

std::int64_t skipped_s(const void* caller) {
    return is_skipped(caller) ? skipped.load(std::memory_order_relaxed) : 0;
}

}  // namespace kumi::mpi
