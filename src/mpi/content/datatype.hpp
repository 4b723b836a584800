#pragma once

#include <cstdint>

#include "base/element.hpp"
#include "mpi/real_function.hpp"

namespace kumi::mpi {

/// What an MPI datatype consists of; asks the loaded MPI library.
struct Datatype {
    Element element = Element::kNone;  ///< kNone also of types that mix numbers of several types.
    /// Whether the program allows errors in all numbers of the type, by kumihimo/approx.h, but for
    /// the first `protected_bits` of each: where parts of a type differ, the most of all parts.
    bool allows_errors = false;
    std::uint8_t protected_bits = 0;
    std::uint64_t size_bytes = 0;  ///< Without gaps.
};

/// @param handle  As `datatype_of_c` or `datatype_of_fortran` returns it. Of no datatype, nothing
/// is known. O(length of the type's description).
Datatype describe_datatype(Word handle);

/// How many bytes an element of it has without gaps, zero if it is no datatype; `handle` as for
/// `describe_datatype`.
std::uint64_t size_of(Word handle);

/// How elements of an MPI datatype lie in memory; asks the loaded MPI library.
struct Layout {
    std::uint64_t size_bytes = 0;   ///< Without gaps.
    std::int64_t extent_bytes = 0;  ///< From one element to the next.
    bool is_plain = false;          ///< Of a predefined type without gaps.
};

/// @param handle  As for `describe_datatype`; must be one of a datatype.
Layout layout_of(Word handle);

/// What of an argument is the handle.
Word datatype_of_c(Word argument);
/// The handle of C for one of Fortran.
Word datatype_of_fortran(int handle);
/// The datatype among the arguments of a call.
inline Word datatype_of(Word argument, Language language) {
    return language == Language::kC ? datatype_of_c(argument)
                                    : datatype_of_fortran(number_of(argument, language));
}

}  // namespace kumi::mpi
