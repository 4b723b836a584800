#pragma once

#include <atomic>
#include <cstdint>

#include "mpi/profile/session.hpp"
#include "mpi/run_link.hpp"
#include "mpi/wake/session.hpp"

/// This process as a rank of a run: how far it has come, and which of its threads counts.
namespace kumi::mpi {

enum class Stage : std::uint8_t {
    kUndecided,  ///< Nobody has asked yet.
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
/// The one that is in MPI; null if none is.
extern std::atomic<const void*> thread_in_mpi;
Stage decide_stage();
/// The calling thread becomes the one that spends the rank's time.
void take_over();
/// Ends the run: a thread calls `name` while another is in MPI.
void refuse_second_thread(const char* name);
}  // namespace detail

inline Stage stage() {
    const Stage known = detail::stage.load(std::memory_order_acquire);
    return __builtin_expect(known == Stage::kUndecided, 0) ? detail::decide_stage() : known;
}
inline bool in_virtual_time() {
    return detail::stage.load(std::memory_order_relaxed) == Stage::kVirtual;
}

/// Makes this process a rank if its environment says so; ends it with a message if that fails.
/// Returns whether it is one.
bool attach_to_run();
/// Virtual time begins, at the end of MPI_Init.
void join_run();
/// Virtual time ends, at the start of MPI_Finalize.
void finish_run();

/// Whether the calling code spends the rank's virtual time: in virtual time, outside MPI, in the
/// thread that called MPI last.
///
/// Virtual time has no notion of several threads of a rank. Each other thread has a clock of its
/// own, never behind the rank's, which its readings, sleeps and time-outs move (or else a thread
/// that waits for a time would wait for ever); these take real time. When such a thread calls MPI,
/// the rank has reached that thread's time.
inline bool spends_virtual_time() {
    return in_virtual_time() && detail::call_depth == 0 &&
           detail::rank_thread.load(std::memory_order_relaxed) == &detail::call_depth;
}

/// The rank's clock, for code that does not spend its time: other threads, and the MPI library.
Instant clock_of_others();

/// Nanoseconds since the process started, as the calling thread sees them (program_time.hpp). A
/// `reading` pays for itself in virtual time. Not for Stage::kOutside.
enum class ClockUse : std::uint8_t { kReading, kPeek };
std::int64_t elapsed_ns(ClockUse use);

/// The calling thread has slept, or waited in vain, for `span_ns`: in virtual time only where it
/// spends that, else in real time already. Does nothing outside virtual time.
void pass_time(std::int64_t span_ns);

/// How long the calling thread has slept and waited in vain so far.
std::int64_t slept_ns();

/// One MPI call of the program. Only the outermost one is told to the conductor.
class CallScope {
   public:
    /// The call returns to `caller`.
    CallScope(CallClass call_class, const CallName& name, const void* caller)
        : x_counts(in_virtual_time()), x_name(name.text), x_caller(caller), x_class(call_class) {
        if (!x_counts || ++detail::call_depth > 1) return;
        if (detail::thread_in_mpi.exchange(&detail::call_depth) != nullptr)
            detail::refuse_second_thread(name.text);
        if (detail::rank_thread.load(std::memory_order_relaxed) != &detail::call_depth)
            detail::take_over();
        run_link::enter(call_class, name);
    }
    ~CallScope() {
        if (!x_counts) return;
        if (detail::call_depth == 1) {
            const bool only_asks = x_class == CallClass::kPolling;
            if (!only_asks) wake::note_call_end(x_caller, x_name);
            profile::note_call_end(x_caller, x_name, only_asks);
        }
        if (--detail::call_depth > 0) return;
        run_link::leave();
        detail::thread_in_mpi.store(nullptr, std::memory_order_release);
    }
    /// Whether the run is told of this call.
    bool is_outermost() const { return x_counts && detail::call_depth == 1; }
    /// The call speaks of a communicator: a handle, in Fortran the address of one.
    void note_communicator(std::uintptr_t handle, profile::Language language) const {
        if (is_outermost()) profile::note_communicator(handle, language);
    }
    CallScope(const CallScope&) = delete;
    CallScope& operator=(const CallScope&) = delete;

   private:
    const bool x_counts;
    const char* const x_name;
    const void* const x_caller;
    const CallClass x_class;
};

}  // namespace kumi::mpi
