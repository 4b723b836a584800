#include "launch/processes/seed.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "base/seed_protocol.hpp"

namespace kumi::launch {
namespace {

/// Real time that a program may take to be loaded before it is started the ordinary way.
constexpr int kPatience_ms = 10'000;

[[noreturn]] void throw_error(int error) {
    throw std::system_error(error, std::generic_category(), "cannot start another process");
}

/// False if the seed is gone, or a signal came in.
bool receive(int socket, SeedAnswer& answer) {
    return ::recv(socket, &answer, sizeof answer, 0) == static_cast<ssize_t>(sizeof answer);
}

bool send(int socket, const SeedRequest& request, int passed_fd) {
    iovec data = {const_cast<SeedRequest*>(&request), sizeof request};
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof passed_fd)] = {};
    msghdr message = {};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof passed_fd);
    std::memcpy(CMSG_DATA(header), &passed_fd, sizeof passed_fd);
    ssize_t length;
    do {
        length = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (length < 0 && errno == EINTR);
    return length == static_cast<ssize_t>(sizeof request);
}

}  // namespace

std::unique_ptr<Seed> Seed::start(SpawnRequest request) {
    auto [ours, theirs] = socket_pair(SOCK_SEQPACKET, "cannot start another process");
    request.inherited_fds.push_back(theirs.get());
    request.environment.push_back(std::string(kSeedVariable) + "=" + std::to_string(theirs.get()));
    for (const char* name : kPmiVariables)
        request.environment.push_back(std::string(name) + "=" + std::string(kSeedRoom, '0'));
    std::unique_ptr<Seed> seed(new Seed(spawn_process(request), std::move(ours)));
    // Its copy is the only one now: if it ends, that shows as the end of the stream.
    theirs.reset();
    return seed->becomes_ready() ? std::move(seed) : nullptr;
}

bool Seed::becomes_ready() {
    pollfd event = {.fd = x_socket.get(), .events = POLLIN, .revents = 0};
    if (::poll(&event, 1, kPatience_ms) <= 0) return false;
    SeedAnswer answer{};
    return receive(x_socket.get(), answer) && answer.error == 0;
}

pid_t Seed::start_rank(std::uint32_t rank, std::uint32_t ranks, int pmi_fd) {
    if (!send(x_socket.get(), {rank, ranks}, pmi_fd)) throw_error(errno);
    SeedAnswer answer{};
    errno = ESRCH;  // What it stays if the seed is gone.
    while (!receive(x_socket.get(), answer)) {
        if (errno != EINTR) throw_error(errno);
        errno = ESRCH;
    }
    if (answer.error != 0) throw_error(answer.error);
    return answer.process;
}

double Seed::end() {
    if (x_pid <= 0) return 0;
    // Only waits for requests: nothing is lost.
    ::kill(x_pid, SIGKILL);
    rusage usage = {};
    ::wait4(std::exchange(x_pid, 0), nullptr, 0, &usage);
    x_socket.reset();
    return seconds_of(usage);
}

}  // namespace kumi::launch
