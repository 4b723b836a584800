#pragma once

#include <cstdint>

#include "mpi/clocks/rank_stage.hpp"

/// How time passes from one thread of a rank to another.
///
/// Threads hand something over by semaphores, conditions, barriers and by their end: they leave
/// their time there, and the thread that takes it continues no earlier, also if it did not have to
/// wait. Locks hand nothing over: a thread that takes one at a time when another thread had it, by
/// the clocks of the two, continues when that one gave it back. Neither goes by what happens first
/// in real time.
namespace kumi::mpi {

/// By what a thread waits for another.
enum class Handover : std::uint8_t {
    kEvent,      ///< A semaphore, a barrier, a thread's end.
    kCondition,  ///< An interpreter's are its lock, by which its threads only take turns.
};

/// The calling thread hands over by `object`.
void leave_time_at(const void* object, Handover handover);
/// The calling thread has taken what is handed over by `object`, in a function that returns to
/// `caller`.
void take_time_from(const void* object, Handover handover, const void* caller);

/// The same where the calling thread ends, and where another one has waited for that. A rank that
/// waits for a thread which computes does so itself.
void leave_time_of_end_at(const void* object);
void take_time_of_end_from(const void* object, const void* caller);

/// Locks that several threads may have at once.
enum class Sharing : std::uint8_t { kAlone, kShared };

/// The calling thread has got `lock`, in a function that returns to `caller`.
void note_locked(const void* lock, Sharing sharing, const void* caller);
/// The calling thread is about to give `lock` back.
void note_unlocking(const void* lock);

/// The object is new: what was left there is of no meaning.
void forget_times_at(const void* object);

}  // namespace kumi::mpi
