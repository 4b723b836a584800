#include "launch/pmi/pmi_server.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

namespace kumi::launch {

PmiServer::PmiServer(std::uint32_t ranks, PmiProtocol::Options options, int epoll_fd,
                     std::uint64_t tag)
    : x_protocol(ranks, std::move(options)), x_epoll_fd(epoll_fd), x_tag(tag), x_streams(ranks) {}

UniqueFd PmiServer::open(std::uint32_t rank) {
    auto [ours, theirs] = socket_pair(SOCK_STREAM, "cannot open a socket for PMI");
    epoll_event event{.events = EPOLLIN, .data = {.u64 = x_tag + rank}};
    if (::epoll_ctl(x_epoll_fd, EPOLL_CTL_ADD, ours.get(), &event) != 0)
        throw_errno("cannot watch a socket for PMI");
    x_streams[rank].fd = std::move(ours);
    return std::move(theirs);
}

void PmiServer::handle(std::uint32_t rank) {
    if (!x_streams[rank].fd) return;
    if (x_streams[rank].wants_to_write) write_to(rank);
    read_from(rank);
    for (std::uint32_t other : x_protocol.take_ranks_to_answer()) write_to(other);
}

void PmiServer::read_from(std::uint32_t rank) {
    char buffer[16 * 1024];
    Stream& stream = x_streams[rank];
    while (stream.fd) {
        const ssize_t length = ::recv(stream.fd.get(), buffer, sizeof buffer, MSG_DONTWAIT);
        if (length > 0) {
            x_protocol.receive(rank, std::string_view(buffer, static_cast<std::size_t>(length)));
            // A short read emptied the socket: no need to ask again.
            if (static_cast<std::size_t>(length) < sizeof buffer) return;
        } else if (length < 0 && errno == EINTR) {
            continue;
        } else if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return;
        } else {
            // The rank closed its end, or is gone; its process shows how.
            close(rank);
        }
    }
}

void PmiServer::write_to(std::uint32_t rank) {
    Stream& stream = x_streams[rank];
    std::string& outgoing = x_protocol.outgoing(rank);
    std::size_t sent = 0;
    while (stream.fd && sent < outgoing.size()) {
        const ssize_t length = ::send(stream.fd.get(), outgoing.data() + sent,
                                      outgoing.size() - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (length >= 0) {
            sent += static_cast<std::size_t>(length);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            break;
        } else if (errno != EINTR) {
            close(rank);
        }
    }
    outgoing.erase(0, sent);
    const bool wants_to_write = stream.fd && !outgoing.empty();
    if (wants_to_write == stream.wants_to_write) return;
    stream.wants_to_write = wants_to_write;
    if (stream.fd) listen_for(rank, wants_to_write ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

void PmiServer::listen_for(std::uint32_t rank, std::uint32_t events) {
    epoll_event event{.events = events, .data = {.u64 = x_tag + rank}};
    ::epoll_ctl(x_epoll_fd, EPOLL_CTL_MOD, x_streams[rank].fd.get(), &event);
}

void PmiServer::close(std::uint32_t rank) {
    // Explicitly, since a process that is just being started may still have a copy of our end.
    ::epoll_ctl(x_epoll_fd, EPOLL_CTL_DEL, x_streams[rank].fd.get(), nullptr);
    x_streams[rank].fd.reset();
    x_streams[rank].wants_to_write = false;
}

}  // namespace kumi::launch
