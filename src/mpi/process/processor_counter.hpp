#pragma once

namespace kumi::mpi {

/// The processor's time-stamp counter, which programs read without a call (rdtsc, rdtscp).
///
/// In ranks the kernel makes every such reading a SIGSEGV (PR_SET_TSC), and the handler answers
/// with the program's time: one tick is a nanosecond, and zero is where CLOCK_MONOTONIC has it. A
/// reading costs what others cost (clock_cost), so that loops around the counter end. Code of MPI
/// libraries, and the kernel's own in the vDSO, get what the processor says. Threads other than
/// the rank's see the rank's time and add real time, so that their time-outs are as long as ever.
///
/// Each thread has this setting from the thread that made it; so have children, also after exec,
/// where there is no handler any more: see start_programs.cpp.

/// Takes the counter over for this thread and those that it will make. For the end of loading, in
/// ranks. Does nothing if KUMI_TRAP_RDTSC is "off", or if that is impossible here.
void take_counter_over();

/// Whether it was taken over.
bool has_counter();

/// While it exists, the calling thread reads the processor's own counter: what it executes or makes
/// meanwhile does, too.
class FreeCounter {
   public:
    FreeCounter();
    ~FreeCounter();
    FreeCounter(const FreeCounter&) = delete;
    FreeCounter& operator=(const FreeCounter&) = delete;
};

}  // namespace kumi::mpi
