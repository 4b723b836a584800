#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "mpi/real_function.hpp"

namespace kumi::mpi::collectives {

/// An operation of MPI's own on elements of one of its types. All of these are commutative.
class Operation {
   public:
    Operation() = default;
    /// Nothing if the operation is a user's, or none that MPI defines for the type.
    static std::optional<Operation> find(Word operation, Word datatype);

    std::uint64_t element_bytes() const { return x_element_bytes; }
    /// What the MPI library makes of `left` and `right` goes to `right`. Returns 0 or an error of
    /// MPI's.
    int apply(const std::byte* left, std::byte* right, std::uint64_t bytes) const;

   private:
    Word x_operation = 0;
    Word x_datatype = 0;
    std::uint64_t x_element_bytes = 1;
};

}  // namespace kumi::mpi::collectives
