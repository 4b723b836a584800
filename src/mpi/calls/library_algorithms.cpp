#include "mpi/calls/library_algorithms.hpp"

#include <unistd.h>

#include <array>
#include <string_view>

#include "mpi/real_function.hpp"

namespace kumi::mpi {
namespace {

constinit MpiFunction<int(char*, int*)> real_version{"PMPI_Get_library_version"};

bool is_mpich() {
    std::array<char, 8192> text{};  // MPI_MAX_LIBRARY_VERSION_STRING is that at most.
    int length = 0;
    return real_version(text.data(), &length) == 0 &&
           std::string_view(text.data()).starts_with("MPICH Version:");
}

/// Whether a variable of MPICH's is set that may choose the algorithm.
bool is_chosen_by_user() {
    for (char** next = environ; next != nullptr && *next != nullptr; ++next) {
        const std::string_view variable(*next);
        const std::string_view name = variable.substr(0, variable.find('='));
        const bool is_of_mpich = name.starts_with("MPIR_CVAR_") ||
                                 name.starts_with("MPIR_PARAM_") || name.starts_with("MPICH_");
        if (is_of_mpich && (name.find("ALLTOALL") != name.npos || name.find("COLL") != name.npos))
            return true;
    }
    return false;
}

}  // namespace

bool exchanges_in_rounds() {
    static const bool is_known = is_mpich() && !is_chosen_by_user();
    return is_known;
}

}  // namespace kumi::mpi
