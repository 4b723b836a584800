#pragma once

#include <cstdint>
#include <vector>

#include "launch/pmi/pmi_protocol.hpp"
#include "launch/unique_fd.hpp"

namespace kumi::launch {

/// The sockets under PmiProtocol: one stream per rank, never waiting for any of them.
///
/// The caller owns the epoll set and calls `handle` when it reports a rank's socket.
class PmiServer {
   public:
    /// Sockets are added to `epoll_fd` with the rank plus `tag` as epoll's user data.
    PmiServer(std::uint32_t ranks, PmiProtocol::Options options, int epoll_fd, std::uint64_t tag);

    /// Opens `rank`'s stream and returns the end for the rank's process (close-on-exec). The caller
    /// must close its copy once the process is started. Throws std::system_error.
    UniqueFd open(std::uint32_t rank);

    /// Reads what `rank` sent, and sends what it and others are waiting for.
    void handle(std::uint32_t rank);

    PmiProtocol& protocol() { return x_protocol; }
    const PmiProtocol& protocol() const { return x_protocol; }

   private:
    void read_from(std::uint32_t rank);
    void write_to(std::uint32_t rank);
    void listen_for(std::uint32_t rank, std::uint32_t events);
    void close(std::uint32_t rank);

    struct Stream {
        UniqueFd fd;
        bool wants_to_write = false;
    };

    PmiProtocol x_protocol;
    int x_epoll_fd;
    std::uint64_t x_tag;
    std::vector<Stream> x_streams;
};

}  // namespace kumi::launch
