// MPI_Wtime and MPI_Wtick, in C and Fortran: seconds of virtual time.

#include "mpi/clocks/program_time.hpp"
#include "mpi/clocks/rank_clock.hpp"
#include "mpi/clocks/thread_work.hpp"
#include "mpi/export.hpp"
#include "mpi/real_function.hpp"

namespace kumi::mpi {
namespace {

/// One picosecond: virtual time's own resolution.
constexpr double kTick_s = 1e-12;

bool shows_virtual_time() { return stage() == Stage::kVirtual || stage() == Stage::kEnded; }

double wtime(RealFunction& real) {
    if (!shows_virtual_time()) return real.as<double (*)()>()();
    if (spends_virtual_time()) {
        if (has_threads()) thread_work::meet_if_alone();
        return static_cast<double>(run_link::read_clock().ps) * kTick_s;
    }
    return static_cast<double>(elapsed_ns(ClockUse::kReading) - kJoined_ns) * 1e-9;
}

double wtick(RealFunction& real) {
    return shows_virtual_time() ? kTick_s : real.as<double (*)()>()();
}

}  // namespace
}  // namespace kumi::mpi

using namespace kumi::mpi;

KUMI_EXPORT double MPI_Wtime() {
    static constinit RealFunction real{"PMPI_Wtime"};
    return wtime(real);
}

KUMI_EXPORT double MPI_Wtick() {
    static constinit RealFunction real{"PMPI_Wtick"};
    return wtick(real);
}

KUMI_EXPORT double mpi_wtime_() {
    static constinit RealFunction real{"pmpi_wtime_"};
    return wtime(real);
}

KUMI_EXPORT double mpi_wtick_() {
    static constinit RealFunction real{"pmpi_wtick_"};
    return wtick(real);
}
