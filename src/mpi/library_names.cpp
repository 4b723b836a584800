#include "mpi/library_names.hpp"

#include <cstring>

namespace kumi::mpi {
namespace {

// A wheel may add a hash to a library's name (libmpi-1a2b3c.so.12): hence the dashes.
constexpr const char* kBindings[] = {"libmpi.so",       "libmpi-",       "libmpi_abi",
                                     "libmpi_mpifh",    "libmpi_usempi", "libmpich.so",
                                     "libmpichfort.so", "libmpifort"};

constexpr const char* kImplementation[] = {
    // MPICH and Open MPI with their plug-ins.
    "libmpi_cxx", "libmpicxx", "libmpichcxx", "libopen-", "liboshmem", "libmca_", "mca_", "libompi",
    "libprrte",
    // Start-up and machine topology.
    "libpmi", "libevent", "libhwloc", "libmunge",
    // Networks.
    "libfabric", "libucp", "libuct", "libucs", "libucm", "libibverbs", "librdmacm", "libpsm",
    "libnl-", "libkumi-"};

template <int kCount>
bool starts_with_one_of(const char* text, const char* const (&prefixes)[kCount]) {
    for (const char* prefix : prefixes)
        if (std::strncmp(text, prefix, std::strlen(prefix)) == 0) return true;
    return false;
}

}  // namespace

const char* file_name(const char* path) {
    const char* slash = std::strrchr(path, '/');
    return slash == nullptr ? path : slash + 1;
}

bool is_mpi_binding(const char* file_name) { return starts_with_one_of(file_name, kBindings); }

bool is_standard_abi(const char* file_name) {
    return std::strncmp(file_name, "libmpi_abi", std::strlen("libmpi_abi")) == 0;
}

bool is_implementation(const char* file_name) {
    // libfabric's providers are called libNAME-fi.so.
    return is_mpi_binding(file_name) || starts_with_one_of(file_name, kImplementation) ||
           std::strstr(file_name, "-fi.so") != nullptr;
}

}  // namespace kumi::mpi
