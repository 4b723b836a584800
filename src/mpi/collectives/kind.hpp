#pragma once

#include <cstdint>
#include <string_view>

#include "base/collective_call.hpp"
#include "mpi/function_name.hpp"
#include "mpi/real_function.hpp"

namespace kumi::mpi::collectives {

using enum CollectiveChoice;

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
    if (is_function(name, "alltoall")) return Kind::kAlltoall;
    if (is_function(name, "barrier")) return Kind::kBarrier;
    if (is_function(name, "allreduce")) return Kind::kAllreduce;
    if (is_function(name, "bcast")) return Kind::kBcast;
    if (is_function(name, "allgather")) return Kind::kAllgather;
    if (is_function(name, "alltoallv")) return Kind::kAlltoallv;
    if (is_function(name, "reduce_scatter_block")) return Kind::kReduceScatterBlock;
    return Kind::kNone;
}

/// The first error of several calls of the MPI library; 0 if there was none.
struct FirstError {
    int code = 0;

    void note(int found) {
        if (code == 0) code = found;
    }
};

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
