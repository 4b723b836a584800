#pragma once

namespace kumi::mpi {

/// Puts the code of large libraries into pages of 2 MB, where the system allows that.
///
/// For a seed, whose copies share them: with many ranks, the processor's table of pages is too
/// small for all the pages of code that one message touches, and a rank that comes next has to look
/// up each of them again.
void enlarge_code_pages();

}  // namespace kumi::mpi
