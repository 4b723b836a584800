#pragma once

#include <cstdint>

namespace kumi::mpi::wake {

/// What places in programs call. Code that the compiler plug-in (src/passes) has given places asks
/// for it when it is loaded, by `kumi_wake_offer`, and finds null pointers unless wake-ups are
/// planned: a place then costs two loads and a branch.
struct Hooks {
    void (*pass_place)(const void* place);
    std::int64_t (*begin_loop)(const void* place, std::int64_t trips);
    void (*end_loop)(const void* place, std::int64_t trips);
};

}  // namespace kumi::mpi::wake
