/* Which library Open MPI's timers are in, and whether they agree. For Open MPI alone. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "check.h"

typedef uint64_t (*Timer)(void);

static Timer timer(const char* name) {
    Timer* variable = (Timer*)dlsym(RTLD_DEFAULT, name);
    CHECK(variable != NULL);
    return *variable;
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const Timer ticks = timer("opal_timer_base_get_cycles");
    const Timer microseconds = timer("opal_timer_base_get_usec");
    const Timer frequency = (Timer)dlsym(RTLD_DEFAULT, "opal_timer_base_get_freq");
    Dl_info first, second;
    CHECK(dladdr((void*)ticks, &first) != 0 && dladdr((void*)microseconds, &second) != 0);
    CHECK(strcmp(first.dli_fname, second.dli_fname) == 0);
    const double ticks_per_us = (double)frequency() / 1e6;
    const double before = (double)ticks() / ticks_per_us;
    const double between = (double)microseconds();
    const double after = (double)ticks() / ticks_per_us;
    CHECK(before - 2 <= between && between <= after + 2);
    const char* name = strrchr(first.dli_fname, '/');
    if (world_rank == 0) printf("timers of %s\n", name == NULL ? first.dli_fname : name + 1);
    return end("open_mpi_timers");
}
