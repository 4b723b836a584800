#pragma once

#include <cstddef>
#include <cstdint>

#include "base/time/time.hpp"
#include "conductor/records/records.hpp"
#include "endpoint/head.hpp"
#include "endpoint/request.hpp"

namespace kumi::conductor {

inline constexpr std::uint32_t kNoMessage = 0xFFFFFFFF;

/// What happens when the last byte of a message reaches the target's network interface.
enum class ArrivalAction : std::uint8_t {
    kDeliver = 0,  ///< Into the target's inbox; resumes it if it is blocked.
    kPut = 1,      ///< The interface writes the payload into the target's memory, acknowledges.
    kGet = 2,      ///< The interface reads the target's memory and sends it back.
    kReply = 3,    ///< The interface sends `reply_bytes` back; the data go another way.
};

/// One message between two ranks, in the segment. Owned by the network until it arrives, by the
/// target's inbox until the target looks at it, then by the target's endpoint.
struct alignas(64) Message {
    Instant sent{};
    Instant arrived{};
    std::uint32_t next = kNoMessage;      ///< In the inbox.
    std::uint32_t previous = kNoMessage;  ///< In the inbox.
    /// The receive that will get it for certain; see pairing.hpp.
    std::uint32_t paired = endpoint::kNone;
    /// Its target has read it, and given the payload back.
    std::uint32_t is_read = 0;
    // From here to the seal, without gaps: what the seal is of.
    std::uint32_t magic = kMagic;
    std::uint32_t reserved_word = 0;
    std::uint64_t sequence = 0;  ///< Per source, from 0; of answers from kFirstAnswer.
    std::uint32_t source = 0;    ///< Rank.
    std::uint32_t target = 0;    ///< Rank.
    MessageKind kind = MessageKind::kEager;
    MessageKind reply_kind = MessageKind::kControl;
    ArrivalAction action = ArrivalAction::kDeliver;
    /// Sent by a network interface because of a request. Looked at where the seal is not, thus no
    /// bool either.
    std::uint8_t is_answer = 0;
    bool wants_notice = false;  ///< Its source gets a notice when it has been delivered.
    bool is_notice = false;     ///< Is that notice; has never been in the network.
    /// Sent by a call that may wait until it is received, which the target's MPI library reports.
    std::uint8_t is_synchronous = 0;
    std::uint8_t reserved[1] = {};
    std::uint64_t size_bytes = 0;     ///< What the network carries, without packet headers.
    std::uint64_t reply_bytes = 0;    ///< Size of the answer, for actions that have one.
    std::uint64_t remote_key = 0;     ///< Of the target's memory region; kPut and kGet.
    std::uint64_t remote_offset = 0;  ///< In that region.
    std::byte* payload = nullptr;     ///< An arena block, or nullptr.
    std::uint64_t payload_bytes = 0;
    std::uint64_t tag = 0;  ///< For the records.
    endpoint::Head head{};
    std::uint64_t seal = 0;  ///< Of all that must not change on the way.

    /// Over `magic` and everything behind it but the payload's contents.
    std::uint64_t compute_seal() const;
    /// Numbers a message that has its seal, which is right thereafter if it was before.
    void number(std::uint64_t sequence);

    static constexpr std::uint32_t kMagic = 0x4B554D49;
};
static_assert(sizeof(Message) == 192, "three cache lines");

}  // namespace kumi::conductor
