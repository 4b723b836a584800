#include "launch/core_claim.hpp"

#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace kumi {
namespace {

std::vector<int> usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    ::sched_getaffinity(0, sizeof set, &set);
    std::vector<int> cores;
    for (int core = CPU_SETSIZE - 1; core >= 0; --core) {
        if (CPU_ISSET(core, &set)) cores.push_back(core);
    }
    return cores;
}

bool claim(int socket, const std::string& domain, int core) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    // A name that starts with a zero lives in the kernel only.
    const int length = std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1,
                                     "%s-core-%d", domain.c_str(), core);
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                             static_cast<std::size_t>(length));
    return ::bind(socket, reinterpret_cast<const sockaddr*>(&address), size) == 0;
}

}  // namespace

CoreClaim::CoreClaim(const std::string& domain)
    : x_socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const std::vector<int> cores = usable_cores();
    if (cores.empty()) return;
    for (int core : cores) {
        x_core = core;
        if (claim(x_socket.get(), domain, core)) return;
    }
    x_core = cores[static_cast<std::size_t>(::getpid()) % cores.size()];
}

}  // namespace kumi
