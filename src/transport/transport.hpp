#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/free_list.hpp"
#include "matching/matching_queue.hpp"
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
    Transport(Wire& wire, CompletionSink& sink, std::uint32_t empty_polls = kEmptyPolls)
        : x_wire(wire), x_sink(sink), x_empty_polls_to_sleep(empty_polls) {}
    /// Forgets posted receives and messages that nobody received; completes nothing. What other
    /// ranks still have a reference to stays: the answer may be on its way.
    ~Transport();
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;

    void send(std::uint32_t target, const Buffer& buffer, void* context,
              const SendOptions& options);
    void receive(const Pattern& pattern, const Buffer& buffer, void* context,
                 const ReceiveOptions& options);
    /// Looks for a message that has arrived and completes with its size, tag and source, or with
    /// kNoMessage. With `claim` it is set aside for receive_claimed with the same context.
    void peek(const Pattern& pattern, void* context, bool tagged, bool claim);
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
    MatchingQueue<Receive>& posted(bool tagged) { return x_posted[tagged ? 1 : 0]; }
    MatchingQueue<Unexpected>& unexpected(bool tagged) { return x_unexpected[tagged ? 1 : 0]; }

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
    void match(Receive* receive, const Arrival& arrival, const Head& head);
    Receive* slice_of(Receive* parent, std::uint64_t size_bytes);
    void begin_fetch(Receive* receive, const Arrival& arrival, const Head& head);
    void finish_receive(Receive* receive, std::uint32_t source, const Head& head);
    Unexpected* find_unexpected(const Pattern& pattern, bool tagged);
    void remove_unexpected(Unexpected* message, bool tagged);
    bool is_posted(const Receive* receive, bool tagged);
    Origin* begin_origin();
    void end(Origin* origin);
    void charge_search(std::uint64_t searched);
    /// Empty polls and peeks count within one MPI call.
    void count_anew_in_new_call();
    std::uint32_t empty_polls_to_sleep();
    std::uint32_t empty_peeks_to_sleep();
    /// A peek has found nothing. Returns whether its call does nothing but look for that message,
    /// so that the rank may sleep.
    bool note_empty_peek(const Pattern& pattern);
    /// The oldest posted receive for a tagged message, for whoever asks what the rank waits for.
    AwaitedReceive oldest_awaited();
    void wait();
    /// The same for a peek: no receive is posted for what it looks for.
    void wait_for_any();
    /// All posted receives for tagged messages; nothing if one takes several messages.
    std::span<const WaitingReceive> list_posted();

    Wire& x_wire;
    CompletionSink& x_sink;
    FreeList<Receive> x_receives;
    FreeList<Unexpected> x_messages;
    MatchingQueue<Receive> x_posted[2];
    MatchingQueue<Unexpected> x_unexpected[2];
    std::unordered_map<void*, Unexpected*> x_claimed;
    std::vector<WaitingReceive> x_waiting;  ///< Kept for its memory.
    const std::uint32_t x_empty_polls_to_sleep;
    std::uint32_t x_call_number = 0;
    std::uint32_t x_empty_polls = 0;
    std::uint32_t x_synchronous = 0;  ///< Unexpected messages that are.
    std::uint32_t x_under_way = 0;    ///< Origins, and payloads that are being fetched.
    std::uint32_t x_empty_peeks = 0;
    Pattern x_empty_peek{};  ///< What they looked for.
};

}  // namespace kumi
