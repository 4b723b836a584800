#include "mpi/hints/held_back.hpp"

#include <utility>
#include <vector>

#include "mpi/run_link.hpp"
#include "mpi/spin_lock.hpp"

namespace kumi::mpi::held_back_hints {

constinit std::atomic<bool> detail::is_any{false};

namespace {

constinit std::atomic_flag is_locked{};
constinit std::vector<endpoint::service::Hint> hints;

}  // namespace

void add(endpoint::service::Hint hint) {
    const SpinLock lock(is_locked);
    hints.push_back(hint);
    detail::is_any.store(true, std::memory_order_relaxed);
}

void detail::pass_all() {
    std::vector<endpoint::service::Hint> all;
    {
        const SpinLock lock(is_locked);
        all = std::exchange(hints, {});
        is_any.store(false, std::memory_order_relaxed);
    }
    for (const endpoint::service::Hint hint : all) run_link::note_hint(hint);
}

}  // namespace kumi::mpi::held_back_hints
