#pragma once

#include <cstdint>
#include <optional>

/// The times that threads have left at objects (thread_times.hpp), by the objects' addresses.
///
/// There is room for those of 2048 objects, where the latest stay: the others are of no use
/// any more, as a rule, because all threads have reached them. For any thread, and for handlers of
/// signals: one that interrupts its own thread in here neither leaves nor finds anything.
namespace kumi::mpi::left_times {

/// A thread that comes at or after `begin_ns` continues no earlier than `end_ns`.
struct Span {
    std::int64_t begin_ns;
    std::int64_t end_ns;
};

/// At `object`, unless something later is there.
void leave(const void* object, Span span);
std::optional<Span> find(const void* object);
void forget(const void* object);
/// No span that was ever left ends later.
std::int64_t latest_ns();

}  // namespace kumi::mpi::left_times
