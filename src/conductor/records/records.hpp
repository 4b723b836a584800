#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/time/time.hpp"

namespace kumi::conductor {

/// What a message in the network carries.
enum class MessageKind : std::uint8_t {
    kEager = 0,       ///< Envelope and payload of an MPI message.
    kRendezvous = 1,  ///< Payload of an MPI message, after its receive was matched.
    kControl = 2,     ///< Request to send, read request, acknowledgement.
    kPut = 3,         ///< RMA write.
    kGet = 4,         ///< RMA read: the data on their way back.
    kInternal = 5,    ///< The MPI library's own active messages.
};

/// What interfaces send by themselves is counted apart, from here: when it happens among what the
/// rank sends depends on how far ahead of the events its clock is.
inline constexpr std::uint64_t kFirstAnswer = std::uint64_t{1} << 48;

/// One message of the run, as written to `messages.bin` when it arrived. Little-endian.
struct MessageRecord {
    std::uint64_t sequence;     ///< Per-source counter, from 0; of answers from kFirstAnswer.
    std::uint32_t source;       ///< Rank.
    std::uint32_t target;       ///< Rank.
    std::uint64_t size_bytes;   ///< Payload, without headers.
    std::int64_t sent_ps;       ///< Handed to the network interface.
    std::int64_t arrived_ps;    ///< Last byte at the target's network interface.
    std::int64_t zero_load_ps;  ///< Time it would have taken with every link idle.
    std::uint64_t tag;          ///< The MPI library's match bits, or the schedule's tag.
    std::uint8_t kind;          ///< MessageKind.
    /// Time for which nothing but room in a buffer was missing (Network::Arrival), 20 hours at
    /// most.
    std::array<std::uint8_t, 7> credit_wait_ps;
};
static_assert(sizeof(MessageRecord) == 64);

inline std::array<std::uint8_t, 7> credit_wait_on_record(Duration wait) {
    constexpr std::int64_t kMost = (std::int64_t{1} << 56) - 1;
    const std::int64_t wait_ps = std::min(wait.ps, kMost);
    std::array<std::uint8_t, 7> bytes{};
    std::memcpy(bytes.data(), &wait_ps, bytes.size());
    return bytes;
}

/// What a rank was doing.
enum class RankState : std::uint8_t {
    kCompute = 0,        ///< Between communication calls.
    kCommunication = 1,  ///< Inside the MPI library: overheads, matching, polling.
    kWait = 2,           ///< Blocked until something arrives.
    kSleep = 3,          ///< Asleep, or waiting for an instant: part of the time in kWait.
};

/// A stretch of one rank's virtual time, as written to `states.bin`. Stretches of one rank come in
/// order and do not overlap, and none has length 0. A call ends its waits and sleeps: only those of
/// different calls touch another stretch of the same state.
struct StateRecord {
    std::int64_t begin_ps;
    std::int64_t end_ps;
    std::uint32_t rank;
    std::uint8_t state;  ///< RankState.
    std::uint8_t reserved[3];
};
static_assert(sizeof(StateRecord) == 24);

/// What a rank did with a message, or its end.
enum class MessageStep : std::uint8_t {
    kSend = 0,     ///< It sent a message.
    kReceive = 1,  ///< It took a message that had arrived.
    kAnswer = 2,   ///< Its network interface answered a message, without the rank.
    kEnd = 3,      ///< It came to the end of virtual time.
};

/// One step of a rank, as written to `operations.bin` if the run's schedule is recorded. Those of
/// one rank come in the order of its clock; answers stand between them.
struct OperationRecord {
    std::uint64_t sequence;    ///< Of the message, per source, from 0.
    std::uint64_t request;     ///< Of an answer: the sequence of what it answers.
    std::uint64_t size_bytes;  ///< Payload, without headers.
    std::int64_t clock_ps;     ///< The rank's clock after the step.
    std::int64_t compute_ps;   ///< The rank's time in RankState::kCompute so far.
    std::int64_t wait_ps;      ///< The rank's time in RankState::kWait so far, without sleeps.
    std::int64_t slept_ps;     ///< The rank's sleeps so far.
    std::uint32_t rank;
    std::uint32_t peer;       ///< Target of what was sent, source of what was taken.
    std::uint8_t kind;        ///< MessageStep.
    std::uint8_t message;     ///< MessageKind of what was sent.
    std::uint8_t is_awaited;  ///< What was taken has arrived at this clock.
    // Of a payload that was sent and may arrive with errors; see endpoint::Head.
    std::uint8_t allows_errors = 0;
    std::uint8_t element = 0;  ///< Element.
    std::uint8_t protected_bits = 0;
    std::uint8_t order = 0;  ///< 0 if it is that of each link, else 1 more than a BitOrder.
    std::uint8_t function = 0;
    std::uint64_t ordinal = 0;
};
static_assert(sizeof(OperationRecord) == 80);

/// What the MPI library of a rank asked of the transport, or the program of its MPI library.
enum class CallStep : std::uint8_t {
    kSend = 0,     ///< It sends a message.
    kReceive = 1,  ///< It posts a receive.
    kSeen = 2,     ///< The MPI library has read that one of these two is complete.
    kNeeds = 3,    ///< The present call returns when all that an earlier call started is complete.
    kNeedsSeen = 4,  ///< What the present call waits for is not known: all that kSeen names so far.
    kStartsMessage = 5,  ///< The present call returns before the message it starts is complete.
    kHint = 6,           ///< The program passes a hint to its service.
    kGuess = 7,          ///< What the present call does may depend on time.
    kEnd = 8,            ///< It came to the end of virtual time.
    kStarts = 9,         ///< As kStartsMessage, and what it starts may be a collective operation.
};

/// One step of a rank, as written to `calls.bin` if the run's calls are recorded. Those of one rank
/// come in its order.
struct CallRecord {
    std::uint64_t tag;         ///< Match bits, also of the message that was received; of a hint it.
    std::uint64_t ignore;      ///< Of a receive: bits that are not compared.
    std::uint64_t size_bytes;  ///< Of a receive: the room that it has.
    std::int64_t compute_ps;   ///< The rank's time in RankState::kCompute so far.
    std::int64_t slept_ps;     ///< The rank's sleeps so far.
    std::int64_t in_calls_ps;  ///< What the program computed within MPI calls so far.
    std::uint32_t rank;
    std::uint32_t peer;     ///< Target, or source, also of the message that was received.
    std::uint32_t request;  ///< Of sends and receives together, from 1; of kNeeds the earlier call.
    std::uint32_t call;     ///< The number of the rank's MPI call.
    std::uint8_t kind;      ///< CallStep.
    std::uint8_t call_class;        ///< CallClass.
    std::uint8_t wants_completion;  ///< Else nothing ever waits for the send.
    std::uint8_t reserved[5];
};
static_assert(sizeof(CallRecord) == 72);

/// A rank's connections and memory from an instant on, as written to `service_memory.bin` when a
/// connection is made, refused or closed, or its buffers grow; first at the start. Those of a rank
/// come in order.
struct ServiceMemoryRecord {
    std::int64_t at_ps;
    std::uint64_t memory_bytes;
    std::uint32_t rank;
    std::uint32_t connections;
    std::uint32_t refused;  ///< Peers.
    std::uint32_t closed;   ///< Connections, until then.
};
static_assert(sizeof(ServiceMemoryRecord) == 32);

/// What one rank sent to another on a different host in virtual time, as written to
/// `service_traffic.bin` at the end. By source, then by target.
struct TrafficRecord {
    std::uint32_t source;
    std::uint32_t target;
    std::uint64_t messages;
    std::uint64_t packets;  ///< Datagrams that the payloads take, however they were sent.
};
static_assert(sizeof(TrafficRecord) == 24);

}  // namespace kumi::conductor
