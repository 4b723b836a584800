#pragma once

#include <cstdint>

#include "base/call_name.hpp"
#include "mpi/real_function.hpp"

/// The profile of this rank's MPI calls, if the user wants one.
namespace kumi::mpi::profile {

namespace detail {
/// Whether this part follows calls: only in virtual time.
extern constinit bool is_profiling;
void call_names(std::uintptr_t communicator, Language language);
void call_ended(const void* caller, const CallName& function, bool only_asks);
}  // namespace detail

/// Virtual time has begun. Profiles if the run wants that.
void begin();

/// The outermost MPI call, which has begun, speaks of a communicator.
inline void note_communicator(std::uintptr_t communicator, Language language) {
    if (__builtin_expect(detail::is_profiling, 0)) detail::call_names(communicator, language);
}

/// The outermost MPI call, of `function`, is about to return to `caller`. The distance to the next
/// call counts from here, unless this one `only_asks` whether something has arrived.
inline void note_call_end(const void* caller, const CallName& function, bool only_asks) {
    if (__builtin_expect(detail::is_profiling, 0)) detail::call_ended(caller, function, only_asks);
}

}  // namespace kumi::mpi::profile
