#include "conductor/system/process_memory.hpp"

#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace kumi::conductor {
namespace {

using Copy = ssize_t (*)(pid_t, const iovec*, unsigned long, const iovec*, unsigned long,
                         unsigned long);

bool copy_all(Copy copy, pid_t process, std::uint64_t address, char* local,
              std::size_t size_bytes) {
    while (size_bytes > 0) {
        iovec here{local, size_bytes};
        iovec there{reinterpret_cast<void*>(address), size_bytes};
        const ssize_t count = copy(process, &here, 1, &there, 1, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        local += count;
        address += static_cast<std::uint64_t>(count);
        size_bytes -= static_cast<std::size_t>(count);
    }
    return true;
}

}  // namespace

bool read_process(pid_t process, std::uint64_t address, void* into, std::size_t size_bytes) {
    if (size_bytes == 0) return true;  // of no address at all, perhaps
    if (process == ::getpid()) {
        std::memcpy(into, reinterpret_cast<const void*>(address), size_bytes);
        return true;
    }
    return copy_all(::process_vm_readv, process, address, static_cast<char*>(into), size_bytes);
}

bool write_process(pid_t process, std::uint64_t address, const void* from, std::size_t size_bytes) {
    if (size_bytes == 0) return true;
    if (process == ::getpid()) {
        std::memcpy(reinterpret_cast<void*>(address), from, size_bytes);
        return true;
    }
    auto* local = const_cast<char*>(static_cast<const char*>(from));
    return copy_all(::process_vm_writev, process, address, local, size_bytes);
}

void allow_access_by_others() {
    // Fails where there is no such restriction, and then it is not needed.
    (void)::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
}

}  // namespace kumi::conductor
