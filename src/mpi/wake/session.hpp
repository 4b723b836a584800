#pragma once

#include <cstdint>

/// Wake-ups of this rank: what it has learned of itself, and when it asks links to wake.
namespace kumi::mpi::wake {

namespace detail {
/// Whether this part follows calls and places: only in virtual time, with links that sleep.
extern constinit bool is_listening;
void call_ended(const void* caller, const char* name);
}  // namespace detail

/// Virtual time has begun. Listens if links take wake frames, and the program has marked places or
/// the user wants predictions (KUMI_PREDICT=on).
void begin();
void end();

/// The outermost MPI call `name` is about to return to `caller`. Calls that only ask whether
/// something has arrived are not noted: a program makes any number of them.
inline void note_call_end(const void* caller, const char* name) {
    if (__builtin_expect(detail::is_listening, 0)) detail::call_ended(caller, name);
}

/// Within a call: links are woken otherwise for all that the call sends from now on, so that only
/// what it has sent so far is learned of it.
void others_announce_rest();

/// The rank has reached the place; see Places. Does nothing unless listening, in the rank's thread.
void pass_place(const void* place);
std::int64_t begin_loop(const void* place, std::int64_t trips);
void end_loop(const void* place, std::int64_t trips);

/// The same for a place that the programmer marked: from the first one on, all are listened to.
void pass_hint(const void* place);

/// Wakes the links to a rank of MPI_COMM_WORLD, for as long as data can be expected.
void wake_rank(std::uint32_t target);

}  // namespace kumi::mpi::wake
