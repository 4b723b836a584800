#include "segment_reading.hpp"

#include <cstddef>

namespace kumi::bindings {
namespace {

thread_local sigjmp_buf way_back;
thread_local bool is_trapped = false;

void jump_back(int number) {
    if (is_trapped) siglongjmp(way_back, 1);
    // Of another thread: as if there were no trap.
    std::signal(number, SIG_DFL);
    std::raise(number);
}

}  // namespace

FaultTrap::FaultTrap() {
    struct sigaction action = {};
    action.sa_handler = jump_back;
    sigemptyset(&action.sa_mask);
    is_trapped = true;
    for (std::size_t i = 0; i < std::size(kSignals); ++i)
        sigaction(kSignals[i], &action, &x_before[i]);
}

FaultTrap::~FaultTrap() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i)
        sigaction(kSignals[i], &x_before[i], nullptr);
    is_trapped = false;
}

sigjmp_buf& FaultTrap::place() { return way_back; }

}  // namespace kumi::bindings
