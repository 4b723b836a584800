#pragma once

#include <signal.h>

namespace kumi::mpi {

/// SIGSEGV of a rank: some are readings of the processor's counter, the others are the program's.
/// What the program sets for that signal is kept here (signal_functions.cpp) and carried out by
/// the shim's handler.

/// Puts the shim's handler in place. What is set for the signal already becomes the program's.
/// Returns false, with nothing changed, if the system refuses.
bool take_segmentation_faults_over();

/// Whether that was done.
bool has_segmentation_faults();

/// As sigaction for SIGSEGV, with what the program sees of it. Either may be null.
void exchange_program_action(const struct sigaction* action, struct sigaction* old);

/// Without SIGSEGV: a counter that is read while the signal is blocked would end the process.
sigset_t without_segmentation_faults(const sigset_t& signals);

/// Answers the signal if it is a reading of the counter; returns whether (processor_counter.cpp).
bool answer_counter_trap(const siginfo_t& info, void* context);

}  // namespace kumi::mpi
