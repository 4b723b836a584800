#pragma once

#include <cstdint>

namespace kumi::mpi::wake {

/// What places in programs call, if it is there: the type of `kumi_wake_hooks`, which the compiler
/// plug-in (src/passes) adds to programs, with null pointers. Outside of runs with links that sleep
/// it stays so, and a place costs a load and a branch.
struct Hooks {
    void (*pass_place)(const void* place);
    std::int64_t (*begin_loop)(const void* place, std::int64_t trips);
    void (*end_loop)(const void* place, std::int64_t trips);
};

/// Fills the program's hooks in. Whether it has some.
bool install_hooks();

}  // namespace kumi::mpi::wake
