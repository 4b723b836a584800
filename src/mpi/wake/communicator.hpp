#pragma once

#include <cstdint>
#include <optional>

#include "mpi/real_function.hpp"

namespace kumi::mpi::wake {

/// The targets of a communicator of the loaded MPI library, by their ranks in MPI_COMM_WORLD:
/// its members, or of an intercommunicator the remote group.
class Communicator {
   public:
    /// `handle` as a program passes it to MPI functions.
    explicit Communicator(Word handle);
    ~Communicator();
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    /// False for MPI_COMM_NULL, which has no members.
    bool exists() const { return x_group != 0; }
    int size() const { return x_size; }
    /// Nothing if there is no such member, or it does not belong to MPI_COMM_WORLD.
    std::optional<std::uint32_t> world_rank(int member) const;

   private:
    // Handles of groups are ints or pointers: either way, a word that began as zero holds them.
    Word x_group = 0;
    Word x_world = 0;
    int x_size = 0;
};

/// The communicator that a Fortran program calls by `handle`.
Word communicator_of_fortran(int handle);
/// The communicator among the arguments of a call.
Word communicator_of(Word argument, Language language);

}  // namespace kumi::mpi::wake
