#pragma once

#include <atomic>
#include <cstdint>

#include "conductor/port/rank_port.hpp"

namespace kumi::conductor {

/// A rank's end of the conductor for the PMPI shim, which reports where MPI calls begin and end
/// and what the program computes in between, and asks it for the rank's clock. One for a process.
class ClockPort : public RankPort {
   public:
    explicit ClockPort(RankProcess& process)
        : RankPort(process), x_computing(process.computing()) {}
    ClockPort(const ClockPort&) = delete;
    ClockPort& operator=(const ClockPort&) = delete;

    using RankAccess::keep_in_time;

    /// The outermost MPI call `name` begins. Charges the compute time since the last one ended;
    /// a polling call first lets all ranks with smaller clocks run. Ends the run at its limit.
    void enter(CallClass call_class, const CallName& name);
    /// The outermost MPI call ends. A polling call pays the poll cost here.
    void leave();
    /// At the end of MPI_Init: returns when all ranks are here; virtual time begins.
    /// `alone_calls_mpi`: the program has said that no other thread will.
    void join(bool alone_calls_mpi);
    /// At the start of MPI_Finalize: returns when all ranks are here and nothing is on its way.
    void finish();
    /// MPI_Abort was called: the run ends with the program's own code, when all other ranks have
    /// come to this rank's clock, or when the launcher does not wait for them any longer.
    void program_aborts(int code);
    /// The process has computed for long, as a signal says: others go on meanwhile. Does nothing
    /// where the process is inside of this port.
    void give_way();
    /// The program called `name`, which cannot be had here, and gets an error. Returns whether that
    /// is the first time in the run.
    bool note_refused(const CallName& name) {
        const Visit visit(x_process);
        return x_state->diagnosis.refused.add(name);
    }
    /// The MPI library has started something that takes several polls without a message.
    void poll_longer() { x_slot->facts.polls_longer = true; }
    /// The program has started a request that something outside of MPI will complete, or has
    /// completed one: the rank's thread itself, or another one. See outside.hpp.
    void begin_outside();
    void end_outside(bool by_rank);

    /// The rank's clock as it stands, without what was computed since it was moved last.
    Instant now() {
        const Visit visit(x_process);
        synchronise();
        return x_slot->clock;
    }
    /// The clock as far as it is known: for callers to which that is good enough, and inside MPI.
    Instant peek() const { return x_slot->clock; }
    /// The same for other threads than the rank's. They would notice if the rank were ahead of its
    /// clock: it stays in time from now on.
    Instant watch() {
        keep_in_time();
        return x_slot->clock;
    }
    /// The rank's clock, moved on by what was computed until now. For the thread that computes.
    Instant look_at_clock();
    /// Reads the clock as the program does: pays the cost of a reading, so that a loop that only
    /// looks at the clock makes time go on.
    Instant read_clock();
    /// The program has read, or may have read, a clock that shows real time. From any thread.
    void note_real_clock(RealClock clock) {
        x_slot->facts.real_clocks.fetch_or(static_cast<std::uint32_t>(clock),
                                           std::memory_order_relaxed);
    }
    /// See Computing for these.
    void follow(const WorkCounter& counter) { x_computing.follow(counter); }
    static void measure_from_here() { Computing::measure_from_here(); }
    void note_threads() { x_computing.note_threads(); }
    Duration time_of_cpu(std::int64_t cpu_ns) const { return x_computing.time_of_cpu(cpu_ns); }
    Duration time_of_work(std::uint64_t millicycles) const {
        return x_computing.time_of_work(millicycles);
    }
    /// Time in which the rank computes. Always counts, whatever the compute mode.
    void compute(Duration span);
    /// Time in which the rank sleeps: it waits.
    void sleep(Duration span);

   private:
    using Undisturbed = RankProcess::Undisturbed;

    /// Adds what was computed to the rank's clock: no less than what others have seen
    /// (progress.hpp).
    void charge(Duration computed);
    /// What is to be done at the beginning of a call, with the baton.
    void enter_with_baton(CallClass call_class, const CallName& name);
    /// Whether the process, which is in step, is ahead in the call that begins, so that its MPI
    /// library works in parallel with others. Its rank is then where it was.
    bool goes_ahead_in(CallClass call_class) const;
    /// The call begins at the rank's clock.
    void begin_in_step(CallClass call_class, bool has_to_see);
    /// An MPI call has begun: others may have the baton while the MPI library works, if the process
    /// is ahead.
    void lend_baton();
    /// Whether the MPI library of a process that is ahead works in parallel with others.
    bool calls_are_parallel() const;
    /// An MPI call ends: others may have the baton while the process computes.
    void lay_baton_down();
    void check_recorded(CallClass call_class);
    /// Whether the rank has called often without anything having been sent or having arrived: it
    /// may look at memory that others write, in a loop.
    bool seems_to_spin();
    /// Whether so much is on its way that others should receive before this rank sends on.
    bool is_far_ahead() const;

    Computing& x_computing;
    /// What had been sent, and received when the rank had caught up, at the first quiet call.
    std::uint64_t x_quiet_since = 0;
    std::uint32_t x_quiet_calls = 0;
    std::uint64_t x_handovers = 0;  ///< To this rank, until the MPI call that ended last.
};

}  // namespace kumi::conductor
