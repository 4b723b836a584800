#include "conductor/rank_data/cores.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace kumi::conductor {

void Cores::move(std::int32_t process, std::uint32_t from, std::uint32_t to) const {
    if (from == to || x_numbers[to] == kAnywhere) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(x_numbers[to]), &set);
    // By the kernel: the program may have a function of this name. If it fails, the process stays
    // where it was, and shares that core.
    (void)::syscall(SYS_sched_setaffinity, process, sizeof set, &set);
}

}  // namespace kumi::conductor
