#include "mpi/code/library_names.hpp"

#include <cstring>
#include <string_view>

namespace kumi::mpi {
namespace {

using namespace std::literals;

// A wheel may add a hash to a library's name (libmpi-1a2b3c.so.12): hence the dashes.
constexpr std::string_view kBindings[] = {"libmpi.so",       "libmpi-",       "libmpi_abi",
                                          "libmpi_mpifh",    "libmpi_usempi", "libmpich.so",
                                          "libmpichfort.so", "libmpifort"};

constexpr std::string_view kImplementation[] = {
    // MPICH and Open MPI with their plug-ins.
    "libmpi_cxx", "libmpicxx", "libmpichcxx", "libopen-", "liboshmem", "libmca_", "mca_", "libompi",
    "libprrte",
    // Start-up and platform topology.
    "libpmi", "libevent", "libhwloc", "libmunge",
    // Networks.
    "libfabric", "libucp", "libuct", "libucs", "libucm", "libibverbs", "librdmacm", "libpsm",
    "libinfinipath", "libnl-", "libkumi-"};

constexpr std::string_view kCounterTimers[] = {"libinfinipath", "libpsm2"};

constexpr std::string_view kThreadRuntimes[] = {"libomp.so", "libomp-", "libiomp5", "libgomp",
                                                "libtbb"};

template <int kCount>
bool starts_with_one_of(std::string_view text, const std::string_view (&prefixes)[kCount]) {
    for (const std::string_view prefix : prefixes)
        if (text.starts_with(prefix)) return true;
    return false;
}

}  // namespace

const char* file_name(const char* path) {
    const char* slash = std::strrchr(path, '/');
    return slash == nullptr ? path : slash + 1;
}

bool is_mpi_binding(const char* file_name) { return starts_with_one_of(file_name, kBindings); }

bool is_standard_abi(const char* file_name) {
    return std::string_view(file_name).starts_with("libmpi_abi");
}

bool is_implementation(const char* file_name) {
    const std::string_view name(file_name);
    // Most callers are the program itself or a Python module: those are recognised at once.
    if (!name.starts_with("lib"sv) && !name.starts_with("mca_"sv)) return false;
    // libfabric's providers are called libNAME-fi.so.
    return starts_with_one_of(name, kBindings) || starts_with_one_of(name, kImplementation) ||
           name.find("-fi.so"sv) != name.npos;
}

bool times_counter(const char* file_name) { return starts_with_one_of(file_name, kCounterTimers); }

bool is_thread_runtime(const char* file_name) {
    return starts_with_one_of(file_name, kThreadRuntimes);
}

bool is_interpreter(const char* file_name) {
    return std::string_view(file_name).starts_with("libpython");
}

}  // namespace kumi::mpi
