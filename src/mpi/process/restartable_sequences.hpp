#pragma once

namespace kumi::mpi {

/// Takes back what the C library asks of the kernel for each thread: to note on which core it
/// runs (restartable sequences, rseq(2)). For that the kernel writes into the thread's memory
/// whenever another process has run in between, which among many ranks is at every message, and
/// that memory is in no cache then.
///
/// For the calling thread and those that it makes from now on. Code that uses such sequences finds
/// none registered, and does without, as on a kernel that has none.
void forgo_restartable_sequences();

}  // namespace kumi::mpi
