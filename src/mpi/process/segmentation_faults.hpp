#pragma once

#include <signal.h>

namespace kumi::mpi {

/// SIGSEGV of a rank: some are readings of the processor's counter, the others are the program's.
/// What the program sets for that signal, by functions that are the shim's, too, is kept here and
/// carried out by the shim's handler.

/// Puts the shim's handler in place. What is set for the signal already becomes the program's.
/// Returns false, with nothing changed, if the system refuses.
bool take_segmentation_faults_over();

/// Answers the signal if it is a reading of the counter; returns whether (processor_counter.cpp).
bool answer_counter_trap(const siginfo_t& info, void* context);

}  // namespace kumi::mpi
