#pragma once

#include <csetjmp>
#include <csignal>
#include <iterator>
#include <stdexcept>
#include <string>

#include "conductor/port/run.hpp"

namespace kumi::bindings {

/// What ranks have left in the segment cannot be read, or not be trusted. They are programs of
/// users, and may have written anything to any place.
class StateDamaged : public std::runtime_error {
   public:
    explicit StateDamaged(const std::string& what)
        : std::runtime_error("the run's state is damaged: " + what) {}
};

/// Turns faults of this thread into a jump back, while it exists. One at a time.
class FaultTrap {
   public:
    FaultTrap();
    ~FaultTrap();
    FaultTrap(const FaultTrap&) = delete;
    FaultTrap& operator=(const FaultTrap&) = delete;

    /// For sigsetjmp in the function that reads.
    sigjmp_buf& place();

   private:
    static constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE};
    struct sigaction x_before[std::size(kSignals)];
};

/// Reads from the segment. `read` must not own anything that outlives it: after a fault nothing of
/// it is destroyed.
///
/// Throws StateDamaged if the run's memory is not what it was made to be.
template <class Read>
auto read_segment(const conductor::Run& run, const Read& read) {
    constexpr const char* kUnreadable = "its memory cannot be read";
    if (!run.is_intact()) throw StateDamaged(kUnreadable);
    FaultTrap trap;
    if (sigsetjmp(trap.place(), /*savesigs=*/1) != 0) throw StateDamaged(kUnreadable);
    return read();
}

}  // namespace kumi::bindings
