// The C library's `syscall`: programs read clocks, sleep and start others by it, too.

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/system_call.hpp"
#include "mpi/clocks/caller.hpp"
#include "mpi/clocks/deadline.hpp"
#include "mpi/clocks/program_calls.hpp"
#include "mpi/export.hpp"
#include "mpi/process/processor_counter.hpp"
#include "mpi/real_function.hpp"
#include "mpi/threads/thread_times.hpp"

using namespace kumi::mpi;

namespace {

template <class Pointer>
Pointer to(Word word) {
    return reinterpret_cast<Pointer>(word);
}

constexpr bool is_of_time(long number) {
    switch (number) {
        case SYS_clock_gettime:
        case SYS_gettimeofday:
#ifdef SYS_time
        case SYS_time:
#endif
        case SYS_nanosleep:
        case SYS_clock_nanosleep:
            return true;
        default:
            return false;
    }
}

/// The program's time for a call that is_of_time. An error is a negative error number.
long call_of_time(long number, Word a0, Word a1, Word a2, Word a3) {
    const auto id = static_cast<clockid_t>(a0);
    switch (number) {
        case SYS_clock_gettime: {
            const int error = errno;
            const bool fails = program_clock_gettime(id, to<timespec*>(a1)) != 0;
            const int reason = errno;
            errno = error;
            return fails ? -reason : 0;
        }
        case SYS_gettimeofday:
            program_gettimeofday(to<timeval*>(a0), to<struct timezone*>(a1));
            return 0;
        case SYS_nanosleep:
            return -program_sleep(CLOCK_MONOTONIC, 0, to<const timespec*>(a0), to<timespec*>(a1));
        case SYS_clock_nanosleep:
            return -program_sleep(id, static_cast<int>(a1), to<const timespec*>(a2),
                                  to<timespec*>(a3));
        default:
            return program_time(to<time_t*>(a0));
    }
}

/// Waits at a futex: FUTEX_WAIT for a span of time, FUTEX_WAIT_BITSET until a deadline.
long wait_in_time(Word word, Word operation, Word a2, const timespec* limit, Word a4, Word a5) {
    const auto wait = [=](const timespec* system_limit) {
        return kumi::call_kernel(SYS_futex, word, operation, a2,
                                 reinterpret_cast<Word>(system_limit), a4, a5);
    };
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT) {
        std::int64_t span_ns = 0;
        const long result = wait(limit);
        if (result == -ETIMEDOUT && to_ns(*limit, span_ns)) pass_time(span_ns);
        return result;
    }
    const bool by_date = (operation & FUTEX_CLOCK_REALTIME) != 0;
    const Deadline moved(by_date ? CLOCK_REALTIME : CLOCK_MONOTONIC, limit);
    const long result = wait(moved.system());
    moved.waited(static_cast<int>(-result));
    return result;
}

/// Threads wait for each other by it: std::future, std::atomic. They leave and take time by the
/// word in memory that they wait at.
long call_futex(Word word, Word operation, Word a2, Word a3, Word a4, Word a5, const void* caller) {
    const auto* object = to<const void*>(word);
    const int what = static_cast<int>(operation) & FUTEX_CMD_MASK;
    const bool has_threads = kumi::mpi::has_threads();
    if (has_threads && (what == FUTEX_WAKE || what == FUTEX_WAKE_BITSET))
        leave_time_at(object, Handover::kEvent);
    const bool has_deadline =
        (what == FUTEX_WAIT || what == FUTEX_WAIT_BITSET) && a3 != 0 && sees_program_time(caller);
    const long result = has_deadline
                            ? wait_in_time(word, operation, a2, to<const timespec*>(a3), a4, a5)
                            : kumi::call_kernel(SYS_futex, word, operation, a2, a3, a4, a5);
    if (has_threads && result == 0 && (what == FUTEX_WAIT || what == FUTEX_WAIT_BITSET))
        take_time_from(object, Handover::kEvent, caller);
    return result;
}

long call_kernel_freely(long number, Word a0, Word a1, Word a2, Word a3, Word a4) {
    const FreeCounter free;
    return kumi::call_kernel(number, a0, a1, a2, a3, a4);
}

}  // namespace

// Declared with a variable list of arguments, of which the kernel takes six.
KUMI_EXPORT long kumi_system_call(long number, Word a0, Word a1, Word a2, Word a3, Word a4,
                                  Word a5) noexcept asm("syscall");

long kumi_system_call(long number, Word a0, Word a1, Word a2, Word a3, Word a4, Word a5) noexcept {
    long result = 0;
    if (is_of_time(number) && KUMI_CALLER_SEES_PROGRAM_TIME)
        result = call_of_time(number, a0, a1, a2, a3);
    else if (number == SYS_execve || number == SYS_execveat)
        result = call_kernel_freely(number, a0, a1, a2, a3, a4);
    else if (number == SYS_futex)
        result = call_futex(a0, a1, a2, a3, a4, a5, KUMI_CALLER);
    else
        result = kumi::call_kernel(number, a0, a1, a2, a3, a4, a5);
    constexpr long kMostErrors = 4095;
    if (result >= 0 || result < -kMostErrors) return result;
    errno = static_cast<int>(-result);
    return -1;
}
