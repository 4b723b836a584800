#pragma once

#include <atomic>
#include <cstdint>

namespace kumi::conductor {

/// Sleeps while `word` holds `expected`, at most `timeout_ns` (0: without limit). Works between
/// processes. May return early.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                std::int64_t timeout_ns = 0);

/// Resumes one process that waits for the word.
void futex_notify(std::atomic<std::uint32_t>& word);

/// Mutual exclusion between processes. Plain data in the segment. Need not be unlocked by the one
/// that has locked it.
class FutexMutex {
   public:
    /// Looks `spins` times before it sleeps.
    void lock(int spins = 0) {
        for (int look = 0; look <= spins; ++look) {
            std::uint32_t expected = kFree;
            if (x_word.compare_exchange_weak(expected, kLocked, std::memory_order_acquire)) return;
            __builtin_ia32_pause();
        }
        while (x_word.exchange(kAwaited, std::memory_order_acquire) != kFree)
            futex_wait(x_word, kAwaited);
    }
    /// Returns whether it is locked now, and was not before.
    bool try_lock() {
        std::uint32_t expected = kFree;
        return x_word.compare_exchange_strong(expected, kLocked, std::memory_order_acquire);
    }
    void unlock() {
        if (x_word.exchange(kFree, std::memory_order_release) == kAwaited) futex_notify(x_word);
    }

   private:
    static constexpr std::uint32_t kFree = 0;
    static constexpr std::uint32_t kLocked = 1;
    static constexpr std::uint32_t kAwaited = 2;  ///< Locked, and others may sleep.

    std::atomic<std::uint32_t> x_word{kFree};
};

}  // namespace kumi::conductor
