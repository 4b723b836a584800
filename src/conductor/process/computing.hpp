#pragma once

#include <atomic>
#include <cstdint>

#include "conductor/process/compute_forecast.hpp"
#include "conductor/segment/state.hpp"

namespace kumi::conductor {

/// Where a thread of the program counts what it computes.
struct WorkCounter {
    /// Thousandths of a clock cycle; only grows.
    const std::uint64_t* millicycles = nullptr;
    /// Converts the node's speed (flop/s) to cycles: number of floating-point operations in a
    /// thousand cycles of the processor for which the compiler counted.
    std::uint64_t flops_per_kilocycle = 0;
};

/// What a rank's process computes between its MPI calls, as measured or counted, and what other
/// processes may see of it meanwhile (progress.hpp).
class Computing {
   public:
    Computing(ConductorState& state, RankSlot& slot) : x_state(state), x_slot(slot) {}

    /// What this thread does for as long as this lives is not the rank's computing.
    class Pause {
       public:
        explicit Pause(const Computing& computing);
        ~Pause();
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;

       private:
        const bool x_is_measured;
        const std::int64_t x_begin_ns;
    };

    /// From now on the calling thread's work is the rank's; `counter` is where it counts it. What
    /// it has counted so far is past. For ComputeMode::kCounted.
    void follow(const WorkCounter& counter);
    /// The calling thread is the rank's from now on: what it has computed so far is past. For
    /// ComputeMode::kMeasured.
    static void measure_from_here();
    /// The calling thread is the rank's. `is_only`: the process has no other so far. `stays`: no
    /// other will be the rank's.
    void note_rank_thread(bool is_only, bool stays);
    /// The process, which had one thread, has several from now on.
    void note_threads();
    /// CPU time and counted work of any thread, as virtual time.
    Duration time_of_cpu(std::int64_t cpu_ns) const;
    Duration time_of_work(std::uint64_t millicycles) const;
    bool is_measured() const {
        return x_state.configuration.compute_mode == ComputeMode::kMeasured;
    }

    /// The time of what was computed since this was called last.
    Duration take();
    /// Others can see from now on how much the process computes, if it goes away.
    void show_work();
    /// And how much CPU time it takes.
    void show_cpu();
    void hide_cpu() { x_slot.away.progress.began_cpu_ns.store(ComputeProgress::kUnseen); }
    ComputeForecast& forecast() { return x_forecast; }

    // The same in real time, for CoreTrial, which asks for it now and then.

    /// The process computes from now on, with the baton.
    void begin_timing() {
        if (x_state.scheduling.core_trial.measures_computing()) x_began_ns = real_ns();
    }
    /// It does not any more. Returns whether that was timed.
    bool end_timing() { return x_began_ns != 0 && note_timed(); }

   private:
    Duration take_measured();
    Duration take_counted();
    bool note_timed();

    ConductorState& x_state;
    RankSlot& x_slot;
    ComputeForecast x_forecast;
    std::int32_t x_thread = 0;           ///< The rank's, by the system's number, if it stays that.
    std::atomic<bool> x_is_seen{false};  ///< The rank's CPU time, by others.
    bool x_work_moves = false;           ///< Another thread has become the rank's.
    WorkCounter x_work;
    std::int64_t x_began_ns = 0;   ///< To compute, if that is timed; 0: it is not.
    std::int64_t x_work_rest = 0;  ///< Of the last charge: too little for a picosecond.
};

}  // namespace kumi::conductor
