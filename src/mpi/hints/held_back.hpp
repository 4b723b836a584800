#pragma once

#include <atomic>

#include "endpoint/service/hint_key.hpp"

/// Hints to a rank's service that cannot act at once: those of threads that are not the one that
/// called MPI last, and those given inside of an MPI call, by functions that the library calls.
/// They act when the rank's next MPI call begins.
namespace kumi::mpi::held_back_hints {

namespace detail {
/// Whether there are any.
extern constinit std::atomic<bool> is_any;
void pass_all();
}  // namespace detail

/// In virtual time, from any thread.
void add(endpoint::service::Hint hint);

/// Lets them act, in the order in which they came. In the thread that spends the rank's time.
inline void pass_all() {
    if (__builtin_expect(detail::is_any.load(std::memory_order_relaxed), 0)) detail::pass_all();
}

}  // namespace kumi::mpi::held_back_hints
