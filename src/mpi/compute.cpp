// What programs call through include/kumihimo/compute.h and kumihimo.compute.

#include <cmath>
#include <cstdlib>

#include "mpi/export.hpp"
#include "mpi/program_time.hpp"
#include "mpi/rank_clock.hpp"

namespace {

// The codes of compute.h, which defines functions of the same names and cannot be included here.
constexpr int kDone = 0;
constexpr int kInvalid = -1;
constexpr int kWrongThread = -2;

/// 11 days.
constexpr double kLongest_s = 1e6;

bool is_valid(double seconds) { return seconds >= 0 && seconds <= kLongest_s; }

/// A callback that the MPI library calls (a reduction's operation) may compute as well: other than
/// reading clocks and sleeping, that is work of the rank wherever it is done.
bool is_rank_thread() {
    return kumi::mpi::detail::rank_thread.load(std::memory_order_relaxed) ==
           &kumi::mpi::detail::call_depth;
}

[[noreturn]] void refuse_without_speed() {
    kumi::mpi::run_link::refuse(
        "the program says its work in operations (kumi_compute_flops), and the platform file does "
        "not say node.speed");
    std::_Exit(1);
}

}  // namespace

KUMI_EXPORT int kumi_compute_seconds(double seconds) {
    if (!is_valid(seconds)) return kInvalid;
    if (!kumi::mpi::in_virtual_time()) return kDone;
    if (!is_rank_thread()) return kWrongThread;
    kumi::mpi::run_link::compute(kumi::Duration{std::llround(seconds * 1e12)});
    return kDone;
}

KUMI_EXPORT int kumi_compute_flops(double flops) {
    if (!(flops >= 0) || std::isinf(flops)) return kInvalid;
    if (!kumi::mpi::in_virtual_time()) return kDone;
    if (kumi::mpi::run_link::node_flops() == 0) refuse_without_speed();
    if (!is_valid(flops / kumi::mpi::run_link::node_flops())) return kInvalid;
    if (!is_rank_thread()) return kWrongThread;
    kumi::mpi::run_link::compute_flops(flops);
    return kDone;
}

KUMI_EXPORT double kumi_virtual_seconds() {
    if (!kumi::mpi::in_virtual_time()) return 0.0;
    const kumi::Instant now = kumi::mpi::spends_virtual_time()
                                  ? kumi::mpi::run_link::look_at_clock()
                                  : kumi::mpi::clock_of_others();
    return static_cast<double>(now.ps) * 1e-12;
}

KUMI_EXPORT int kumi_is_simulated() { return kumi::mpi::in_virtual_time() ? 1 : 0; }
