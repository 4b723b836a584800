#pragma once

#include <atomic>
#include <cstdint>

#include "conductor/process/computing.hpp"
#include "conductor/process/noted_hints.hpp"
#include "conductor/process/rank_access.hpp"

namespace kumi::conductor {

/// The process of a rank, with what it keeps outside of the segment.
///
/// The PMPI shim and the provider reach the run through ports over it. Both libraries of a rank
/// have a process object of their own: all that matters lies in the segment. Not for several
/// threads at once (MPI_THREAD_SERIALIZED at most).
class RankProcess : public RankAccess {
   public:
    /// This process; nullptr if it is no rank of a run (no KUMI_SEGMENT in the environment,
    /// or no PMI_RANK / OMPI_COMM_WORLD_RANK), if another process is this rank already, or in a
    /// child of a rank. May be called any number of times; cheap.
    static RankProcess* attach();
    RankProcess(const RankProcess&) = delete;
    RankProcess& operator=(const RankProcess&) = delete;

    /// No signal handler makes the process give way for as long as this lives.
    class Undisturbed {
       public:
        explicit Undisturbed(RankProcess& process) : x_slot(*process.x_slot) {
            ++x_slot.turn.visits;
            std::atomic_signal_fence(std::memory_order_seq_cst);
        }
        ~Undisturbed() {
            std::atomic_signal_fence(std::memory_order_seq_cst);
            --x_slot.turn.visits;
        }
        Undisturbed(const Undisturbed&) = delete;
        Undisturbed& operator=(const Undisturbed&) = delete;

       private:
        RankSlot& x_slot;
    };

    /// The process is not away for as long as this lives: for all that concerns the run, but what
    /// begins and ends MPI calls.
    class Visit {
       public:
        explicit Visit(RankProcess& process)
            : x_undisturbed(process),
              x_process(process),
              x_was_away(process.x_slot->turn.is_away),
              x_was_timed(process.x_computing.end_timing()) {
            if (x_was_away) x_process.begin_visit();
        }
        ~Visit() {
            if (x_was_away) x_process.end_visit();
            if (x_was_timed) x_process.x_computing.begin_timing();
        }
        Visit(const Visit&) = delete;
        Visit& operator=(const Visit&) = delete;

       private:
        const Undisturbed x_undisturbed;
        RankProcess& x_process;
        const bool x_was_away;
        const bool x_was_timed;
    };

    Computing& computing() { return x_computing; }
    const Computing& computing() const { return x_computing; }
    /// The calling process, which may be a child of the rank's, calls exit().
    void note_exit(int code);
    NotedHints& noted_hints() { return x_noted_hints; }
    /// Passes a hint on to the rank's service, at its place among what the rank does.
    void pass_hint(endpoint::service::Hint hint);
    /// The process is not away any more, and passes the hints that it noted while it was.
    void come_back();

   private:
    RankProcess(ConductorState* state, std::uint32_t rank);

    /// Makes this process the rank. False, with the reason on stderr, if another process is.
    bool claim();
    void begin_visit();
    void end_visit();

    std::int32_t x_pid;
    Computing x_computing;
    NotedHints x_noted_hints;
    std::uint64_t x_handovers_at_visit = 0;  ///< To this rank, until the last Visit began.
};

}  // namespace kumi::conductor
