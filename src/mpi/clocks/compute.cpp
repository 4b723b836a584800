// What programs call through include/kumihimo/compute.h and kumihimo.compute.

#include <cmath>
#include <cstdlib>

#include "mpi/clocks/program_time.hpp"
#include "mpi/clocks/rank_clock.hpp"
#include "mpi/clocks/thread_work.hpp"
#include "mpi/export.hpp"

using namespace kumi::mpi;

namespace {

// The codes of compute.h, which defines functions of the same names and cannot be included here.
constexpr int kDone = 0;
constexpr int kInvalid = -1;
constexpr int kWrongThread = -2;

/// 11 days.
constexpr double kLongest_s = 1e6;

bool is_valid(double seconds) { return seconds >= 0 && seconds <= kLongest_s; }

/// The calling thread computes for `span`: the rank's is where it is, also in callbacks of the MPI
/// library (a reduction's operation).
int compute(kumi::Duration span) {
    if (is_rank_thread()) {
        run_link::compute(span);
        if (has_threads()) thread_work::note_said(span);
        return kDone;
    }
    if (!thread_work::is_thread()) return kWrongThread;
    thread_work::say(span);
    return kDone;
}

[[noreturn]] void refuse_without_speed() {
    run_link::refuse(
        "the program says its work in operations (kumi_compute_flops), and the platform file does "
        "not say node.speed");
    std::_Exit(1);
}

}  // namespace

KUMI_EXPORT int kumi_compute_seconds(double seconds) {
    if (!is_valid(seconds)) return kInvalid;
    if (!in_virtual_time()) return kDone;
    return compute(kumi::Duration{std::llround(seconds * 1e12)});
}

KUMI_EXPORT int kumi_compute_flops(double flops) {
    if (!(flops >= 0) || std::isinf(flops)) return kInvalid;
    if (!in_virtual_time()) return kDone;
    if (run_link::node_flops() == 0) refuse_without_speed();
    const double seconds = flops / run_link::node_flops();
    if (!is_valid(seconds)) return kInvalid;
    return compute(kumi::Duration{std::llround(seconds * 1e12)});
}

KUMI_EXPORT double kumi_virtual_seconds() {
    if (!in_virtual_time()) return 0.0;
    const kumi::Instant now = spends_virtual_time() ? run_link::look_at_clock() : clock_of_others();
    return static_cast<double>(now.ps) * 1e-12;
}

KUMI_EXPORT int kumi_is_simulated() { return in_virtual_time() ? 1 : 0; }
