#pragma once

#include <atomic>
#include <cstdint>

#include "mpi/clocks/rank_stage.hpp"
#include "mpi/clocks/thread_work.hpp"
#include "mpi/hints/held_back.hpp"
#include "mpi/hints/session.hpp"
#include "mpi/profile/session.hpp"
#include "mpi/profile/site_numbers.hpp"
#include "mpi/run_link.hpp"
#include "mpi/wake/session.hpp"

/// This process as a rank of a run: its beginning, its end and its calls.
namespace kumi::mpi {

namespace detail {
/// The one that is in MPI; null if none is.
extern std::atomic<const void*> thread_in_mpi;
/// The calling thread becomes the one that spends the rank's time.
void take_over();
/// Whether this is a child that a rank has forked.
extern bool is_child;
[[noreturn]] void end_child(const char* name);
/// MPI can only be called by the rank itself: ends a child that calls `name`, with a message.
inline void refuse_child(const char* name) {
    if (__builtin_expect(is_child, 0)) end_child(name);
}
/// Ends the run: a thread calls `name` while another is in MPI.
void refuse_second_thread(const char* name);
}  // namespace detail

/// Makes this process a rank if its environment says so; ends it with a message if that fails.
/// Returns whether it is one.
bool attach_to_run();
/// Virtual time begins, at the end of MPI_Init. `alone_calls_mpi`: the program has said that only
/// the calling thread will.
void join_run(bool alone_calls_mpi);
/// Virtual time ends, at the start of MPI_Finalize.
void finish_run();

/// One MPI call of the program. The conductor learns of the outermost one only.
class CallScope {
   public:
    /// The call returns to `caller`.
    CallScope(CallClass call_class, const CallName& name, const void* caller)
        : x_counts(in_virtual_time()), x_name(name), x_caller(caller), x_class(call_class) {
        if (!x_counts) {
            detail::refuse_child(name.text);
            return;
        }
        if (++detail::call_depth > 1) return;
        if (detail::thread_in_mpi.exchange(&detail::call_depth) != nullptr)
            detail::refuse_second_thread(name.text);
        if (detail::rank_thread.load(std::memory_order_relaxed) != &detail::call_depth)
            detail::take_over();
        if (has_threads()) thread_work::meet();
        held_back_hints::pass_all();
        hint_file::note_call_begin(caller, name.text);
        run_link::enter(call_class, name);
        site_numbers::note_call_begin(caller, name);
    }
    ~CallScope() {
        if (!x_counts) return;
        if (detail::call_depth == 1) {
            const bool only_asks = x_class == CallClass::kPolling;
            if (!only_asks) wake::note_call_end(x_caller, x_name.text);
            profile::note_call_end(x_caller, x_name, only_asks);
        }
        if (--detail::call_depth > 0) return;
        run_link::leave();
        hint_file::note_call_end();
        if (has_threads()) thread_work::depart();
        detail::thread_in_mpi.store(nullptr, std::memory_order_release);
    }
    /// Whether the conductor learns of this call.
    bool is_outermost() const { return x_counts && detail::call_depth == 1; }
    /// The call speaks of a communicator: a handle, in Fortran the address of one.
    void note_communicator(std::uintptr_t handle, Language language) const {
        if (is_outermost()) profile::note_communicator(handle, language);
    }
    CallScope(const CallScope&) = delete;
    CallScope& operator=(const CallScope&) = delete;

   private:
    const bool x_counts;
    const CallName& x_name;
    const void* const x_caller;
    const CallClass x_class;
};

}  // namespace kumi::mpi
