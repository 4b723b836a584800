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

/// Of MPI_Allreduce and MPI_Reduce_scatter_block.
struct Reduction {
    Buffer send{}, receive{};  ///< Of one count and datatype.
    Word operation = 0;
    Word communicator = 0;

    bool makes_sense() const {
        if (receive.is_in_place() || !receive.makes_sense()) return false;
        const bool has_memory =
            send.address != 0 && receive.address != 0 && send.address != receive.address;
        return has_memory || receive.count == 0;
    }
    /// Where the rank's vector is.
    Word vector() const { return send.is_in_place() ? receive.address : send.address; }
};
Reduction reduction_of(const Word* arguments, const Form& form);

/// One of the program's arrays with a number for each rank.
class Numbers {
   public:
    Numbers() = default;
    Numbers(Word address, bool is_wide) : x_address(address), x_is_wide(is_wide) {}
    bool is_there() const { return x_address != 0; }
    std::int64_t operator[](std::size_t rank) const {
        return x_is_wide ? reinterpret_cast<const std::int64_t*>(x_address)[rank]
                         : reinterpret_cast<const int*>(x_address)[rank];
    }

   private:
    Word x_address = 0;
    bool x_is_wide = false;
};

/// Of MPI_Alltoallv: a buffer with a count and a place, in elements, for each rank.
struct UnevenBuffer {
    Word address = 0;
    Numbers counts{}, displacements{};
    Word datatype = 0;

    bool is_in_place() const { return address == known_abi().in_place; }
    /// For a communicator of that size.
    bool makes_sense(std::size_t ranks) const;
};
struct UnevenExchange {
    UnevenBuffer send, receive;
    Word communicator = 0;
};
UnevenExchange uneven_exchange_of(const Word* arguments, const Form& form);

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
