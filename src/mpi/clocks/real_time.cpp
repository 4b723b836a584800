#include "mpi/clocks/real_time.hpp"

#include <algorithm>
#include <cerrno>

#include "mpi/clocks/kernel_clock.hpp"
#include "mpi/clocks/program_time.hpp"
#include "mpi/clocks/rank_stage.hpp"

namespace kumi::mpi {
namespace {

using ClockGettime = int(clockid_t, timespec*);
constinit std::atomic<ClockGettime*> next_clock_gettime{nullptr};

// Before this has run, other libraries' constructors and resolvers may already read clocks, and
// looking functions up may not yet work: until then the system call does.
__attribute__((constructor)) void find_clock() {
    next_clock_gettime = reinterpret_cast<ClockGettime*>(dlsym(RTLD_NEXT, "clock_gettime"));
}

constinit NextFunction next_clock_nanosleep{::clock_nanosleep, "clock_nanosleep"};

}  // namespace

int real_clock_gettime(clockid_t id, timespec* time) {
    ClockGettime* next = next_clock_gettime.load(std::memory_order_relaxed);
    // In ranks the kernel's own code in this process would be a trap: it reads the processor's
    // counter. And another library's clock might ask the shim's `syscall` in turn.
    if (next != nullptr && detail::stage.load(std::memory_order_relaxed) == Stage::kOutside)
        return next(id, time);
    const int error = kernel_clock_gettime(id, time);
    if (error == 0) return 0;
    errno = error;
    return -1;
}

std::int64_t real_clock_ns(clockid_t id) {
    timespec time{};
    real_clock_gettime(id, &time);
    return static_cast<std::int64_t>(time.tv_sec) * kSecond_ns + time.tv_nsec;
}

int real_sleep(std::int64_t span_ns, timespec* remaining) {
    const timespec span = to_timespec(std::max<std::int64_t>(span_ns, 0));
    return next_clock_nanosleep(CLOCK_MONOTONIC, 0, &span, remaining);
}

}  // namespace kumi::mpi
