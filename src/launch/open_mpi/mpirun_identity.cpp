// What Open MPI's mpirun finds when it asks who it is; loaded before it. It makes the job's number
// from the host's name and its own process number, and gives both names to the ranks, who send them
// to each other as text when they connect communicators: `MPI_Intercomm_create` would take another
// time with each run and on each computer.

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "base/host_name.hpp"

namespace {

/// No process has it (Linux numbers them below 2^22): should Open MPI ever send it a signal,
/// nothing happens.
constexpr pid_t kProcess = 1 << 30;

/// Whether the code at this address is Open MPI's own run-time layer, whose `getpid` goes into the
/// job's number. PMIx, the C library and mpirun's other parts find the process as it is.
bool is_run_time_layer(const void* address) {
    Dl_info found{};
    return dladdr(address, &found) != 0 && found.dli_fname != nullptr &&
           std::strstr(found.dli_fname, "/libopen-rte.so") != nullptr;
}

}  // namespace

#define KUMI_REPLACES extern "C" __attribute__((visibility("default")))

KUMI_REPLACES int gethostname(char* into, std::size_t size_bytes) noexcept {
    return kumi::answer_host_name(kumi::kComputerName, into, size_bytes);
}

KUMI_REPLACES pid_t getpid() noexcept {
    if (is_run_time_layer(__builtin_extract_return_addr(__builtin_return_address(0)))) {
        return kProcess;
    }
    return static_cast<pid_t>(::syscall(SYS_getpid));
}
