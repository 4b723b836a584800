#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/time.hpp"
#include "matching/cost_model.hpp"
#include "matching/envelope.hpp"

namespace kumi {

/// What a message is to the statistics.
enum class TrafficClass : std::uint8_t { kEager, kRendezvous, kControl, kPut, kGet, kInternal };

/// Bytes that a transport sends along with each message and gets back as they were.
inline constexpr std::size_t kWireHeadBytes = 64;

/// What decides how long the transport works on a message and how it sends it.
struct TransportParameters {
    std::uint64_t eager_limit_bytes = 0;    ///< Larger messages go by rendezvous.
    bool sends_complete_delivered = false;  ///< Eager ones; else they are complete at once.
    std::uint64_t control_bytes = 0;        ///< Requests to send, acknowledgements.
    Duration send_overhead{};
    Duration receive_overhead{};
    matching::CostModel matching{};
};

/// How a rank may wait in the MPI call it is in.
enum class WaitStyle : std::uint8_t {
    kPolling,   ///< An empty poll is reported at once, unless the MPI library polls without end.
    kNap,       ///< As kBlocking, but the rank looks again by itself after a while.
    kBlocking,  ///< After a few empty polls the rank may sleep until something arrives.
    kWindow,    ///< As kBlocking, but the MPI library polls more often without an event.
    kProbe,     ///< As kBlocking, but no message for a posted receive ends the call.
};

/// A message to be sent: filled in by the transport between `prepare` and `send`.
struct Outgoing {
    std::uint32_t handle = 0;
    std::byte* payload = nullptr;  ///< Room for the payload; nullptr if it has none.
};

/// A message that has arrived, or the notice that one of this rank's has been delivered: the head
/// is that message's. Head and payload stay valid until `release(handle)`.
struct Arrival {
    std::uint32_t handle = 0;
    std::uint32_t source = 0;  ///< Rank.
    bool is_notice = false;
    const std::byte* head = nullptr;
    const std::byte* payload = nullptr;
    std::uint64_t payload_bytes = 0;
    bool search_is_paid = false;   ///< The time of looking for its receive has been spent.
    bool receive_is_paid = false;  ///< So has that of receiving it.
    bool is_synchronous = false;   ///< The MPI library may answer it when it is received.
};

/// A receive that is posted while the rank waits.
struct WaitingReceive {
    std::uint32_t call = 0;  ///< The call_number() in which it was posted.
    std::uint32_t source = 0;
    std::uint64_t tag = 0;
    std::uint64_t ignore = 0;
};

/// What a rank waits for: a message for its oldest posted receive, or for one of the others.
struct AwaitedReceive {
    std::uint32_t posted = 0;  ///< How many are.
    std::uint32_t source = 0;  ///< Of the oldest; all ones for any, or if there is none.
    std::uint64_t tag = 0;
    std::uint64_t ignore = 0;  ///< Bits of the tag that may differ.
    /// Nothing but the message for that receive can let the rank go on.
    bool is_all = false;
    /// If there are several, all of them, oldest first, unless one may take several messages.
    std::span<const WaitingReceive> receives = {};
};

/// The seam between the transport and a network: simulated (SimWire), or the machine's own.
///
/// Messages of one pair of ranks arrive in the order in which they were sent.
class Wire {
   public:
    virtual ~Wire() = default;

    virtual std::uint32_t rank() const = 0;
    virtual std::uint32_t rank_count() const = 0;
    virtual const TransportParameters& parameters() const = 0;

    /// A message of `payload_bytes`, which occupies `size_bytes` of the network. `tag` is for the
    /// records only. `head` holds kWireHeadBytes bytes.
    virtual Outgoing prepare(std::uint32_t target, TrafficClass traffic, std::uint64_t size_bytes,
                             std::uint64_t payload_bytes, const void* head, std::uint64_t tag) = 0;
    virtual void send(Outgoing outgoing) = 0;
    /// The same; as soon as the message has been delivered, a notice of that arrives here.
    virtual void send_with_notice(Outgoing outgoing) = 0;
    /// As `send`, of a request upon which the target will fetch data.
    virtual void send_request(Outgoing outgoing) = 0;

    /// Asks the target's network interface for `size_bytes` of a buffer whose contents this rank
    /// copies by itself (read_peer): only their way is taken. `head` comes back with them.
    virtual void fetch(std::uint32_t target, std::uint64_t size_bytes, const void* head,
                       std::uint64_t tag) = 0;
    /// Reads `size_bytes` of a memory region of the target; `head` comes back with the data.
    virtual void get(std::uint32_t target, std::uint64_t key, std::uint64_t offset,
                     std::uint64_t size_bytes, const void* head) = 0;
    /// Writes the prepared payload into a memory region of the target; `head` comes back when it is
    /// there.
    virtual void put(Outgoing outgoing, std::uint64_t key, std::uint64_t offset) = 0;
    /// Makes [base, base + size_bytes) reachable under `key`.
    virtual void expose(std::uint64_t key, std::uint64_t base, std::uint64_t size_bytes) = 0;
    virtual void withdraw(std::uint64_t key) = 0;

    /// Whether read_peer works between the ranks.
    virtual bool can_read_peers() const = 0;
    /// Copies from another rank's memory. Ends the run if the address is not readable there.
    virtual void read_peer(std::uint32_t source, std::uint64_t address, void* into,
                           std::size_t size_bytes) = 0;

    /// The next message that has arrived, in order of arrival. False if there is none.
    virtual bool take(Arrival& arrival) = 0;
    virtual void release(std::uint32_t handle) = 0;

    /// Waits until all that the rank has done so far has its time. To be called before anything
    /// that depends on what has arrived by now, unless it is a receive of a small message from one
    /// rank.
    virtual void come_into_time() = 0;
    /// As `take`, but only what the rank would have taken already, had it not been ahead of its
    /// time or asleep. To be called before anything that depends on what has been taken.
    virtual bool take_seen(Arrival& arrival) = 0;
    /// A receive was posted for a message from `source` with `tag`, but for the bits in `ignore`,
    /// and has found none that was taken before.
    virtual void note_posted(std::uint32_t source, std::uint64_t tag, std::uint64_t ignore) = 0;

    /// The transport works for `span`.
    virtual void spend(Duration span) = 0;
    virtual WaitStyle wait_style() const = 0;
    /// Changes with every MPI call: empty polls are counted within one call.
    virtual std::uint32_t call_number() const = 0;
    /// Sleeps until something may have arrived.
    virtual void wait(const AwaitedReceive& awaited) = 0;
};

}  // namespace kumi
