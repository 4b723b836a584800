#pragma once

#include <cstdint>

#include "base/element.hpp"
#include "mpi/real_function.hpp"

namespace kumi::mpi {

/// What an MPI datatype consists of; asks the loaded MPI library.
struct Datatype {
    Element element = Element::kNone;  ///< kNone also of types that mix numbers of several types.
    std::uint64_t size_bytes = 0;      ///< Without gaps.
};

/// @param handle  As `datatype_of_c` or `datatype_of_fortran` returns it. Of no datatype, nothing
/// is known. O(length of the type's description).
Datatype describe_datatype(Word handle);

/// What of an argument is the handle.
Word datatype_of_c(Word argument);
/// The handle of C for one of Fortran.
Word datatype_of_fortran(int handle);

}  // namespace kumi::mpi
