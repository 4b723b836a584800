#pragma once

#include <link.h>

#include <cstdint>

namespace kumi::mpi {

/// Puts the code of large libraries, and of ours, into pages of 2 MB, where the system allows that.
///
/// For a seed, whose copies share them: with many ranks, the processor's table of pages is too
/// small for all the pages of code that one message touches, and a rank that comes next has to look
/// up each of them again.
void enlarge_code_pages();

namespace detail {

/// Addresses of whole large pages, [begin, end), and where in the last of them the code ends. None
/// if `end` is not above `begin`.
struct LargePages {
    std::uintptr_t begin = 0;
    std::uintptr_t code_end = 0;
    std::uintptr_t end = 0;
};

/// The large pages that can take the place of a loaded library's code and constants: those that
/// hold nothing else, and the last one also if the library leaves the rest of it free, as ours do.
LargePages large_pages_of(const dl_phdr_info& object);

}  // namespace detail
}  // namespace kumi::mpi
