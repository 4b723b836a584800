// Timers and alarms stay real: what they interrupt happens in real time. That the program uses one
// goes into the result.

#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "mpi/clocks/caller.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/export.hpp"

using namespace kumi::mpi;

namespace {

void note(const void* return_address) {
    if (spends_virtual_time() && !is_implementation_code(return_address))
        run_link::note_real_clock(kumi::RealClock::kTimer);
}

}  // namespace

KUMI_EXPORT unsigned alarm(unsigned span_s) noexcept {
    static constinit NextFunction<unsigned(unsigned)> next{"alarm"};
    if (span_s != 0) note(KUMI_CALLER);
    return next(span_s);
}

KUMI_EXPORT int setitimer(__itimer_which_t which, const itimerval* value, itimerval* old) noexcept {
    static constinit NextFunction next{::setitimer, "setitimer"};
    note(KUMI_CALLER);
    return next(which, value, old);
}

KUMI_EXPORT int timer_settime(timer_t timer, int flags, const itimerspec* value,
                              itimerspec* old) noexcept {
    static constinit NextFunction next{::timer_settime, "timer_settime"};
    note(KUMI_CALLER);
    return next(timer, flags, value, old);
}

KUMI_EXPORT int timerfd_settime(int timer, int flags, const itimerspec* value,
                                itimerspec* old) noexcept {
    static constinit NextFunction next{::timerfd_settime, "timerfd_settime"};
    note(KUMI_CALLER);
    return next(timer, flags, value, old);
}
