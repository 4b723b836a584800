#pragma once

#include <cstdint>
#include <string_view>

#include "base/collective_call.hpp"
#include "mpi/profile/session.hpp"

namespace kumi::mpi::collectives {

/// Which of the functions a call may be to.
enum class Kind : std::uint8_t {
    kNone,
    kAlltoall,
    kBarrier,
    kAllreduce,
    kBcast,
    kAllgather,
    kAlltoallv,
    kReduceScatterBlock
};

/// Of the function with this name, in C or Fortran.
constexpr Kind kind_of(std::string_view name) {
    const std::string_view plain = name.substr(4);
    if (plain == "Alltoall" || plain == "Alltoall_c" || plain == "alltoall") return Kind::kAlltoall;
    if (plain == "Barrier" || plain == "barrier") return Kind::kBarrier;
    if (plain == "Allreduce" || plain == "Allreduce_c" || plain == "allreduce")
        return Kind::kAllreduce;
    if (plain == "Bcast" || plain == "Bcast_c" || plain == "bcast") return Kind::kBcast;
    if (plain == "Allgather" || plain == "Allgather_c" || plain == "allgather")
        return Kind::kAllgather;
    if (plain == "Alltoallv" || plain == "Alltoallv_c" || plain == "alltoallv")
        return Kind::kAlltoallv;
    if (plain == "Reduce_scatter_block" || plain == "Reduce_scatter_block_c" ||
        plain == "reduce_scatter_block")
        return Kind::kReduceScatterBlock;
    return Kind::kNone;
}

/// How a program has called a function.
struct Form {
    Language language = Language::kC;
    bool is_large_count = false;
};

/// What became of a call.
struct Outcome {
    CollectiveFunction function{};
    CollectiveChoice choice{};
    int error = 0;  ///< Of MPI's, if the call was scheduled.
};

/// The call begins, with this choice. It may change until the call ends.
Outcome chosen(CollectiveFunction function, CollectiveChoice choice);

}  // namespace kumi::mpi::collectives
