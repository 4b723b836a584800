#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/handle_table.hpp"
#include "base/heap_memory.hpp"
#include "matching/queue.hpp"
#include "transport/requests.hpp"
#include "wire/wire.hpp"

namespace kumi {

/// What a send is started with.
struct SendOptions {
    std::uint64_t tag = 0;
    std::uint64_t data = 0;
    bool tagged = true;
    bool has_data = false;
    bool wants_completion = true;
    bool buffer_reusable = false;  ///< The caller may change the buffer as soon as send returns.
};

/// MPI messages over a wire: eager and rendezvous, matching, remote access.
///
/// Up to the eager limit a message travels with its envelope. A larger one announces itself
/// (request to send); when its receive is matched, the receiver's network interface fetches the
/// payload from the sender's, without the sender's CPU, and tells it that its buffer is free. The
/// receiving side makes progress only inside of calls, as MPI libraries without a progress thread
/// do. Not for several threads at once.
class Transport {
   public:
    /// Empty polls in a row, with nothing started in between, after which any MPI library waits.
    static constexpr std::uint32_t kEmptyPolls = 4;
    /// Peeks in one call that look for the same message in vain, after which it waits for that.
    static constexpr std::uint32_t kEmptyPeeks = 2;

    /// Both must outlive the transport. `empty_polls`: after how many the MPI library in use waits.
    Transport(Wire& wire, CompletionSink& sink, std::uint32_t empty_polls = kEmptyPolls);
    /// Forgets posted receives and messages that nobody received; completes nothing. Answers that
    /// are still on their way find no request.
    ~Transport();
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;

    void send(std::uint32_t target, const Buffer& buffer, void* context,
              const SendOptions& options);
    void receive(const matching::Pattern& pattern, const Buffer& buffer, void* context,
                 const ReceiveOptions& options);
    /// Looks for a message that has arrived and completes with its size, tag and source, or with
    /// kNoMessage. With `claim` it is set aside for receive_claimed with the same context.
    void peek(const matching::Pattern& pattern, void* context, bool tagged, bool claim);
    /// Receives the message that `peek` set aside under `context`; false if there is none. With
    /// `discard`, its payload is thrown away.
    bool receive_claimed(const Buffer& buffer, void* context, bool discard);
    /// Takes a posted receive back; it completes as kCancelled. False if it is not posted any more.
    bool cancel(void* context);

    void read(std::uint32_t target, std::uint64_t key, std::uint64_t offset, const Buffer& buffer,
              void* context, bool wants_completion);
    void write(std::uint32_t target, std::uint64_t key, std::uint64_t offset, const Buffer& buffer,
               void* context, bool wants_completion);
    void expose(std::uint64_t key, std::uint64_t base, std::uint64_t size_bytes) {
        x_wire.expose(key, base, size_bytes);
    }
    void withdraw(std::uint64_t key) { x_wire.withdraw(key); }

    /// Handles all that has arrived.
    void progress();
    /// To be called when a poll found nothing: after a few in one MPI call that may wait, or many
    /// in any, the rank sleeps until something arrives.
    void note_empty_poll();
    /// To be called when a poll found something: finds with it what else would be there, had the
    /// rank not been ahead of its time.
    void note_event();

   private:
    matching::PostedQueue& posted(bool tagged) { return x_posted[tagged ? 1 : 0]; }
    matching::UnexpectedQueue& unexpected(bool tagged) { return x_unexpected[tagged ? 1 : 0]; }
    /// Whether a message of this size goes into the receive.
    bool has_room(std::uint32_t receive, std::uint64_t size_bytes);

    /// Handles what the rank would have handled before, had it not been ahead of its time or
    /// asleep.
    void take_seen();
    void handle(const Arrival& arrival);
    void handle_envelope(const Arrival& arrival, const Head& head);
    void handle_rendezvous_data(const Arrival& arrival, const Head& head);
    void handle_finished(const Head& head);
    void handle_remote_access(const Arrival& arrival, const Head& head);

    /// A message that travels with its envelope.
    Outgoing prepare_eager(std::uint32_t target, const Buffer& buffer, const Head& head);
    /// Such a message, complete when it has been delivered.
    void send_awaited(std::uint32_t target, const Buffer& buffer, void* context, Head head);
    void send_request(std::uint32_t target, const Buffer& buffer, void* context, Head head,
                      const SendOptions& options);
    // Receives, messages and origins are named by their numbers.
    /// `receive` has been found for the message; it is not in the queue any more unless it is a
    /// multi-receive.
    void match(std::uint32_t receive, const Arrival& arrival, const Head& head);
    std::uint32_t slice_of(std::uint32_t parent, std::uint64_t size_bytes);
    void begin_fetch(std::uint32_t receive, const Arrival& arrival, const Head& head);
    void finish_receive(std::uint32_t receive, std::uint32_t source, const Head& head);
    /// Looks for a message that `pattern` accepts; charges for the search.
    matching::Search find_unexpected(const matching::Pattern& pattern, bool tagged, bool takes_out);
    /// Takes out the oldest message that `pattern` accepts, if it fits into the receive.
    std::optional<Unexpected> take_unexpected(const matching::Pattern& pattern,
                                              std::uint32_t receive);
    /// Of a message that has been taken out of its queue: what it is.
    Unexpected release(std::uint32_t message);
    std::uint32_t begin_origin();
    void end(std::uint32_t origin);
    void charge(const matching::Search& search);
    matching::Counting counting() const { return x_wire.parameters().matching.counting(); }
    /// Empty polls and peeks count within one MPI call.
    void count_anew_in_new_call();
    std::uint32_t empty_polls_to_sleep();
    std::uint32_t empty_peeks_to_sleep();
    /// A peek has found nothing. Returns whether its call does nothing but look for that message,
    /// so that the rank may sleep.
    bool note_empty_peek(const matching::Pattern& pattern);
    /// The oldest posted receive for a tagged message, for whoever asks what the rank waits for.
    AwaitedReceive oldest_awaited();
    void wait();
    /// The same for a peek: no receive is posted for what it looks for.
    void wait_for_any();
    /// All posted receives for tagged messages; nothing if one takes several messages.
    std::span<const WaitingReceive> list_posted();

    Wire& x_wire;
    CompletionSink& x_sink;
    HeapMemory x_memory;  ///< Of the queues.
    HandleTable<Receive> x_receives;
    HandleTable<Unexpected> x_messages;
    HandleTable<Origin> x_origins;
    matching::PostedQueue x_posted[2];
    matching::UnexpectedQueue x_unexpected[2];
    std::unordered_map<void*, Unexpected> x_claimed;  ///< What `peek` has set aside.
    std::vector<WaitingReceive> x_waiting;            ///< Kept for its memory.
    const std::uint32_t x_empty_polls_to_sleep;
    std::uint32_t x_call_number = 0;
    std::uint32_t x_empty_polls = 0;
    std::uint32_t x_synchronous = 0;  ///< Unexpected messages that are.
    std::uint32_t x_under_way = 0;    ///< Origins, and payloads that are being fetched.
    std::uint32_t x_empty_peeks = 0;
    matching::Pattern x_empty_peek{};  ///< What they looked for.
};

}  // namespace kumi
