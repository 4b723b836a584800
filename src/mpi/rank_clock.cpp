#include "mpi/rank_clock.hpp"

#include <algorithm>

#include "mpi/program_time.hpp"
#include "mpi/real_time.hpp"

namespace kumi::mpi {
namespace {

// Written before the stage that uses them begins.
constinit std::int64_t ended_at_ns = 0;    // Real time.
constinit std::int64_t ended_with_ns = 0;  // What the program's clocks said then.

/// What a reading costs a thread that does not spend the rank's time.
constexpr std::int64_t kOtherReading_ns = 50;
/// The calling thread's own clock: what it saw last.
constinit thread_local std::int64_t own_ns __attribute__((tls_model("initial-exec"))) = 0;
constinit thread_local std::int64_t own_sleep_ns __attribute__((tls_model("initial-exec"))) = 0;

}  // namespace

void end_virtual_time(std::int64_t shown_ns) {
    ended_with_ns = shown_ns;
    ended_at_ns = real_monotonic_ns();
    detail::stage.store(Stage::kEnded, std::memory_order_release);
}

std::int64_t last_seen_ns() { return own_ns; }

Instant clock_of_others() {
    const bool in_mpi = detail::rank_thread.load(std::memory_order_relaxed) == &detail::call_depth;
    return in_mpi ? run_link::peek() : run_link::watch();
}

std::int64_t elapsed_ns(ClockUse use) {
    std::int64_t seen_ns = 0;
    switch (stage()) {
        case Stage::kVirtual:
            if (spends_virtual_time()) {
                const bool pays = use == ClockUse::kReading;
                seen_ns = virtual_ns(pays ? run_link::read_clock() : run_link::look_at_clock());
            } else {
                if (use == ClockUse::kReading) own_ns += kOtherReading_ns;
                seen_ns = virtual_ns(clock_of_others());
            }
            break;
        case Stage::kEnded:
            seen_ns = ended_with_ns + (real_monotonic_ns() - ended_at_ns);
            break;
        default:
            seen_ns = starting_ns(real_monotonic_ns() - started_at_ns());
    }
    own_ns = std::max(own_ns, seen_ns);
    return own_ns;
}

std::int64_t slept_ns() { return own_sleep_ns; }

void pass_time(std::int64_t span_ns) {
    if (span_ns <= 0) return;
    own_sleep_ns += to_duration(span_ns).ps / 1'000;
    if (!in_virtual_time()) return;
    if (spends_virtual_time()) {
        run_link::sleep(to_duration(span_ns));
    } else {
        own_ns = elapsed_ns(ClockUse::kPeek) + to_duration(span_ns).ps / 1'000;
    }
}

}  // namespace kumi::mpi
