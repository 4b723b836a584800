#pragma once

#include <atomic>

namespace kumi::mpi {

namespace detail {
inline constinit std::atomic<bool> has_threads{false};
}  // namespace detail

/// Whether the program of this rank has ever made a thread. All that concerns threads costs
/// processes without them no more than this look.
inline bool has_threads() {
    return __builtin_expect(detail::has_threads.load(std::memory_order_relaxed), 0);
}

}  // namespace kumi::mpi
