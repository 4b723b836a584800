#pragma once

#include <atomic>
#include <cstdint>

/// How far this process has come as a rank of a run, and which of its threads spends virtual time.
namespace kumi::mpi {

enum class Stage : std::uint8_t {
    kUndecided,  ///< Not asked for yet.
    kOutside,    ///< No rank: everything is passed through untouched.
    kStarting,   ///< A rank, in real time, before the end of MPI_Init.
    kVirtual,
    kEnded,  ///< In real time, after MPI_Finalize; or the child of a rank's fork.
};

namespace detail {
extern std::atomic<Stage> stage;
/// MPI calls that this thread is in: the library's own calls of itself are not the program's.
extern constinit thread_local int call_depth __attribute__((tls_model("initial-exec")));
extern std::atomic<const void*> rank_thread;
inline constinit std::atomic<bool> has_threads{false};
Stage decide_stage();
}  // namespace detail

inline Stage stage() {
    const Stage known = detail::stage.load(std::memory_order_acquire);
    return __builtin_expect(known == Stage::kUndecided, 0) ? detail::decide_stage() : known;
}
inline bool in_virtual_time() {
    return detail::stage.load(std::memory_order_relaxed) == Stage::kVirtual;
}

/// Whether the calling thread is the one that called MPI last.
inline bool is_rank_thread() {
    return detail::rank_thread.load(std::memory_order_relaxed) == &detail::call_depth;
}

/// Whether the calling code spends the rank's virtual time: in virtual time, outside MPI, in the
/// thread that called MPI last.
///
/// Virtual time has no notion of several threads of a rank. Each other thread has a clock of its
/// own, which its readings, sleeps and time-outs move (or else a thread that waits for a time would
/// wait for ever), and which it never sees behind the rank's; these take real time. When such a
/// thread calls MPI, or the rank has waited for it (thread_times.hpp), the rank has reached that
/// thread's time.
inline bool spends_virtual_time() {
    return in_virtual_time() && detail::call_depth == 0 && is_rank_thread();
}

/// Whether the calling code sleeps in the rank's virtual time: callbacks of the MPI library do,
/// too, in the time of the call.
inline bool sleeps_in_virtual_time() { return in_virtual_time() && is_rank_thread(); }

/// When the stage of a rank was decided, in real time.
std::int64_t started_at_ns();

/// Whether the program of this rank has ever made a thread. All that concerns threads costs
/// processes without them no more than this look.
inline bool has_threads() {
    return __builtin_expect(detail::has_threads.load(std::memory_order_relaxed), 0);
}

}  // namespace kumi::mpi
