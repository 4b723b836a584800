#pragma once

/// Hints that a file of the user's puts at this rank's MPI calls (`kumihimo run --hints`).
namespace kumi::mpi::hint_file {

namespace detail {
/// Whether this part follows calls: only in virtual time, with a file.
extern constinit bool is_following;
void call_begins(const void* caller, const char* function);
void call_ended();
}  // namespace detail

/// Virtual time has begun. Follows the file `points` of the folder that KUMI_HINTS names.
void begin();
/// Writes what was not reached to the folder's file that is named after the rank, if anything was
/// not, and follows no more.
void end();

/// The outermost MPI call `function`, a literal, is about to begin, and will return to `caller`.
inline void note_call_begin(const void* caller, const char* function) {
    if (__builtin_expect(detail::is_following, 0)) detail::call_begins(caller, function);
}
/// It has ended.
inline void note_call_end() {
    if (__builtin_expect(detail::is_following, 0)) detail::call_ended();
}

}  // namespace kumi::mpi::hint_file
