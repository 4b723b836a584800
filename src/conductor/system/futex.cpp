#include "conductor/system/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/system_call.hpp"

namespace kumi::conductor {
namespace {

// By the kernel: threads of the program hand their times on by the C library's `syscall`.
void call_futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
                const timespec* timeout = nullptr) {
    (void)call_kernel(SYS_futex, reinterpret_cast<std::uintptr_t>(&word),
                      static_cast<std::uintptr_t>(operation), value,
                      reinterpret_cast<std::uintptr_t>(timeout));
}

}  // namespace

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, std::int64_t timeout_ns) {
    const timespec timeout{static_cast<time_t>(timeout_ns / 1'000'000'000),
                           static_cast<long>(timeout_ns % 1'000'000'000)};
    call_futex(word, FUTEX_WAIT, expected, timeout_ns > 0 ? &timeout : nullptr);
}

void futex_notify(std::atomic<std::uint32_t>& word) { call_futex(word, FUTEX_WAKE, 1); }

}  // namespace kumi::conductor
