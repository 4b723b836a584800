// MPI libraries yield the processor while they wait. Inside an MPI call of a rank in virtual time
// that is only lost time: no other rank may run before this one hands over the baton.

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mpi/export.hpp"
#include "mpi/process/rank_process.hpp"

KUMI_EXPORT int sched_yield() noexcept {
    if (kumi::mpi::in_virtual_time() && kumi::mpi::detail::call_depth > 0) return 0;
    return static_cast<int>(::syscall(SYS_sched_yield));
}
