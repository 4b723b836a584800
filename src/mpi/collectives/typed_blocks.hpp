#pragma once

#include <cstddef>
#include <cstdint>

#include "mpi/collectives/arguments.hpp"
#include "mpi/content/datatype.hpp"
#include "mpi/real_function.hpp"

namespace kumi::mpi::collectives {

/// A buffer of the program's: blocks of `count` elements of one type, one behind the other. Types
/// with gaps are packed and unpacked by the MPI library, so that whether a call is scheduled does
/// not depend on its type, which may differ from rank to rank.
class TypedBlocks {
   public:
    /// `buffer` makes sense, and is not MPI_IN_PLACE. The first block lies `displacement` elements
    /// behind its begin. `communicator` is for the MPI library.
    TypedBlocks(const Buffer& buffer, Word communicator, std::int64_t displacement = 0);

    /// Whether there is memory for what is there. Types with gaps may begin at address 0.
    bool has_memory() const { return x_buffer != 0 || x_block_bytes == 0 || !x_layout.is_plain; }

    /// What a block has without gaps.
    std::uint64_t block_bytes() const { return x_block_bytes; }
    /// Copies block `number` to `into`, without gaps. Returns 0 or an error of MPI's.
    int pack(std::uint64_t number, std::byte* into) const;
    int unpack(std::uint64_t number, const std::byte* from) const;

   private:
    std::byte* at(std::uint64_t number) const {
        return reinterpret_cast<std::byte*>(x_buffer) +
               static_cast<std::int64_t>(number) * x_count * x_layout.extent_bytes;
    }

    Word x_buffer;
    std::int64_t x_count;
    Word x_datatype;
    Word x_communicator;
    Layout x_layout;
    std::uint64_t x_block_bytes;
};

}  // namespace kumi::mpi::collectives
