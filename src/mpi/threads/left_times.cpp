#include "mpi/threads/left_times.hpp"

#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

#include "base/system_call.hpp"

namespace kumi::mpi::left_times {
namespace {

struct Entry {
    const void* object;
    Span span;
};

// An object has its place in one of the sets.
constexpr std::size_t kSets = 256;
constexpr std::size_t kWays = 8;
using Set = std::array<Entry, kWays>;
constinit std::array<Set, kSets> sets{};
constinit std::atomic<std::int64_t> latest{0};

constinit std::atomic_flag is_locked{};
constinit thread_local volatile bool is_inside __attribute__((tls_model("initial-exec"))) = false;

class Lock {
   public:
    Lock() : x_holds(!is_inside) {
        if (!x_holds) return;
        is_inside = true;
        // Ranks have one core: the holder of the lock must get it.
        while (is_locked.test_and_set(std::memory_order_acquire)) call_kernel(SYS_sched_yield);
    }
    ~Lock() {
        if (!x_holds) return;
        is_locked.clear(std::memory_order_release);
        is_inside = false;
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    bool holds() const { return x_holds; }

   private:
    const bool x_holds;
};

Set& set_of(const void* object) {
    // Fibonacci hashing: neighbours in memory go to different sets.
    const auto address = reinterpret_cast<std::uintptr_t>(object) >> 3;
    return sets[(address * 0x9E3779B97F4A7C15U) >> 56];
}
static_assert(kSets == 1 << 8);

Entry* entry_of(const void* object, Set& set) {
    const auto found = std::ranges::find(set, object, &Entry::object);
    return found == set.end() ? nullptr : &*found;
}

}  // namespace

void leave(const void* object, Span span) {
    const Lock lock;
    if (!lock.holds()) return;
    if (span.end_ns > latest_ns()) latest.store(span.end_ns, std::memory_order_relaxed);
    Set& set = set_of(object);
    if (Entry* known = entry_of(object, set)) {
        if (span.end_ns > known->span.end_ns) known->span = span;
        return;
    }
    *std::ranges::min_element(set, {}, [](const Entry& entry) {
        return entry.object == nullptr ? 0 : entry.span.end_ns;
    }) = {object, span};
}

std::optional<Span> find(const void* object) {
    const Lock lock;
    if (!lock.holds()) return std::nullopt;
    const Entry* known = entry_of(object, set_of(object));
    return known == nullptr ? std::nullopt : std::optional(known->span);
}

void forget(const void* object) {
    const Lock lock;
    if (!lock.holds()) return;
    if (Entry* known = entry_of(object, set_of(object))) *known = {nullptr, {}};
}

std::int64_t latest_ns() { return latest.load(std::memory_order_relaxed); }

}  // namespace kumi::mpi::left_times
