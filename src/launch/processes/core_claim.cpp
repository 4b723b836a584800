#include "launch/processes/core_claim.hpp"

#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace kumi::launch {
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

CoreClaim::CoreClaim(std::size_t wish, const std::string& domain) {
    std::vector<int> claimed;
    const std::vector<int> usable = usable_cores();
    for (const int core : usable) {
        if (wish > 0 && x_cores.size() == wish) return;
        UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (!claim(socket.get(), domain, core)) {
            claimed.push_back(core);
            continue;
        }
        x_cores.push_back(core);
        x_sockets.push_back(std::move(socket));
    }
    if (claimed.empty()) return;
    // Not always the same of them.
    const auto shift = static_cast<std::size_t>(::getpid()) % claimed.size();
    std::ranges::rotate(claimed, claimed.begin() + static_cast<std::ptrdiff_t>(shift));
    const std::size_t least = std::max<std::size_t>(wish, 1);
    for (const int core : claimed)
        if (x_cores.size() < least) x_cores.push_back(core);
}

}  // namespace kumi::launch
