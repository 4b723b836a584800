#pragma once

#include <cstddef>
#include <cstdint>

#include "mpi/collectives/kind.hpp"
#include "mpi/real_function.hpp"

/// The arguments of MPI's functions, as those of C, whatever the language of the call. Send buffers
/// may be MPI_IN_PLACE of C; then what describes them is left out.
namespace kumi::mpi::collectives {

/// A buffer with one count.
struct Buffer {
    Word address = 0;
    std::int64_t count = 0;
    Word datatype = 0;

    bool is_in_place() const { return address == known_abi().in_place; }
    /// Whether it is one for a call.
    bool makes_sense() const {
        return is_in_place() || (count >= 0 && datatype != known_abi().datatype_null);
    }
};

/// Of MPI_Alltoall and MPI_Allgather.
struct Exchange {
    Buffer send, receive;
    Word communicator = 0;
};
Exchange exchange_of(const Word* arguments, const Form& form);

/// Of MPI_Allreduce.
struct Reduction {
    Buffer send, receive;  ///< Of one count and datatype.
    Word operation = 0;
    Word communicator = 0;
};
Reduction reduction_of(const Word* arguments, const Form& form);

struct Broadcast {
    Buffer buffer;
    int root = 0;
    Word communicator = 0;
};
Broadcast broadcast_of(const Word* arguments, const Form& form);

/// Of MPI_Barrier.
Word barrier_of(const Word* arguments, const Form& form);

/// The argument of Fortran's that is the error code.
std::size_t error_of(Kind kind);

}  // namespace kumi::mpi::collectives
