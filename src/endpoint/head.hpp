#pragma once

#include <cstdint>

namespace kumi::endpoint {

/// What a message is to the protocol.
enum class HeadKind : std::uint8_t {
    kEager = 0,
    kRequestToSend = 1,   ///< The envelope of a large message; its payload waits at the sender.
    kRendezvousData = 2,  ///< The payload, fetched by the receiver.
    kFinished = 3,        ///< The receiver has the payload: the sender's buffer is free.
    kPutDone = 4,
    kGetData = 5,
};

/// The head of every message, as the network carries it.
struct Head {
    HeadKind kind = HeadKind::kEager;
    bool tagged = true;
    bool has_data = false;  ///< Remote completion data, a field of the completion.
    std::uint8_t reserved[5] = {};
    std::uint64_t tag = 0;
    std::uint64_t data = 0;
    std::uint64_t size_bytes = 0;      ///< Of the whole MPI message.
    std::uint64_t address = 0;         ///< Of the payload in the sender's memory.
    std::uint64_t origin_request = 0;  ///< Handle of the sender's (or initiator's) request.
    std::uint64_t target_request = 0;  ///< Handle of the receiver's request.
    std::uint64_t unused = 0;
};
static_assert(sizeof(Head) == 64);

}  // namespace kumi::endpoint
