// fopen: an MPI library finds no list of the kernel's symbols, which has some megabytes.
//
// At its start, libfabric's provider for InfiniBand looks there for two functions of drivers, in
// every rank: 0.1 to 0.2 s of each, although ranks use no provider but Kumihimo's. Without the file
// it takes the functions for missing.

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "mpi/clocks/caller.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/export.hpp"

using kumi::mpi::NextFunction;

KUMI_EXPORT FILE* fopen(const char* path, const char* mode) {
    static constinit NextFunction<FILE*(const char*, const char*)> next{"fopen"};
    const bool is_symbols = path != nullptr && std::strcmp(path, "/proc/kallsyms") == 0;
    if (!is_symbols || !kumi::mpi::is_implementation_code(KUMI_CALLER)) return next(path, mode);
    errno = ENOENT;
    return nullptr;
}
