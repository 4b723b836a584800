#pragma once

#include "mpi/clocks/rank_clock.hpp"

namespace kumi::mpi {

/// Whether the code at `return_address` belongs to an MPI implementation or to Kumihimo. Those need
/// real time: for their time-outs, and because their own work is modelled, not measured.
bool is_implementation_code(const void* return_address);
/// Whether it belongs to a library that measures the processor's counter when it is loaded.
bool is_counter_timing_code(const void* return_address);
/// Whether it belongs to a library that starts threads for a program, and waits for them.
bool is_thread_runtime_code(const void* return_address);
/// Whether it is a Python interpreter's.
bool is_interpreter_code(const void* return_address);

/// Whether a call of a time function that returns to `return_address` must see the program's time.
inline bool sees_program_time(const void* return_address) {
    return stage() != Stage::kOutside && !is_implementation_code(return_address);
}

}  // namespace kumi::mpi

/// Where the present function returns to.
#define KUMI_CALLER __builtin_extract_return_addr(__builtin_return_address(0))
#define KUMI_CALLER_SEES_PROGRAM_TIME ::kumi::mpi::sees_program_time(KUMI_CALLER)
