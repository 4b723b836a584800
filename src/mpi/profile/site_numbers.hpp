#pragma once

#include <cstdint>

#include "base/call_name.hpp"

/// At which places the program calls MPI, if the run wants to know: where matching takes time.
namespace kumi::mpi::site_numbers {

namespace detail {
/// Only in virtual time.
extern constinit bool is_noting;
void call_began(const void* caller, const CallName& function);
}  // namespace detail

/// Virtual time has begun.
void begin();

/// The outermost MPI call, of `function`, has begun, and will return to `caller`.
inline void note_call_begin(const void* caller, const CallName& function) {
    if (__builtin_expect(detail::is_noting, 0)) detail::call_began(caller, function);
}

}  // namespace kumi::mpi::site_numbers
