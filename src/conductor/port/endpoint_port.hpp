#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "conductor/port/memory_port.hpp"

namespace kumi::conductor {

/// A rank's end of the conductor for the transport: messages and requests, over memory that others
/// reach. Of time it has only what a transport needs to wait and to be charged.
class EndpointPort : public MemoryPort {
   public:
    explicit EndpointPort(RankProcess& process) : MemoryPort(process) {}

    /// What the transport does with the run, it does during a visit: see RankProcess::Visit.
    class Visit {
       public:
        explicit Visit(EndpointPort& port) : x_visit(port.x_process) {}

       private:
        const RankProcess::Visit x_visit;
    };

    // What each driver needs: the rank, the run, and the time that it is charged.
    using RankAccess::call_class;
    using RankAccess::call_count;
    using RankAccess::configuration;
    using RankAccess::eager_limit_bytes;
    using RankAccess::in_virtual_time;
    using RankAccess::rank;
    using RankAccess::rank_count;
    using RankAccess::spend;
    using RankAccess::synchronise;

    /// The process, for the transport's other ports.
    RankProcess& process() { return x_process; }
    bool polls_longer() const { return x_slot->facts.polls_longer; }

    /// A message to fill in, with room for `payload_bytes`. Its source is this rank.
    std::uint32_t prepare(std::uint32_t target, MessageKind kind, std::uint64_t payload_bytes);
    Message& message(std::uint32_t index) { return x_state->messages.at(index); }
    /// Sends a prepared message at the rank's present clock. `is_request`: for data that its target
    /// will fetch.
    void send(std::uint32_t index, bool is_request = false);
    /// A request of this rank's, to be filled in.
    std::uint32_t make_request(endpoint::RequestKind kind);
    endpoint::Request& request(std::uint32_t number) { return x_state->requests[number]; }
    /// The number by which peers name the request.
    std::uint64_t handle(std::uint32_t request) const { return x_state->requests.handle(request); }
    /// The request that a send or a remote access names in its head is under way from now on.
    void begin(std::uint32_t request);
    /// Posts a receive.
    void post(std::uint32_t request);
    /// Looks at what has arrived so far. Not for a rank that runs ahead. What that is depends on
    /// how far other processes have come in real time, unless all take turns in virtual time.
    void look();
    /// The same, when everything has arrived that does so before the rank's clock.
    void look_synchronised();
    /// The one or the other: the cheaper one with which the same is found in every repeat.
    void look_repeatably();
    /// Takes the oldest request that is complete; endpoint::kNone if there is none. The caller
    /// `finish`es it.
    std::uint32_t take_complete();
    /// The message of a request that is complete, or that it will get for certain.
    const Message& message_of(std::uint32_t request);
    /// The rank has taken what it needs of a request that is complete, or certain to be: receives
    /// no longer need their payload.
    void finish(std::uint32_t request);
    /// One message in a receive for several has been taken. Returns whether that was the last one.
    bool end_part(std::uint32_t request);
    /// Looks for a message that has arrived and waits for no receive: its number, or kNoMessage.
    /// With `takes_out`, the caller passes it to `receive_taken_out` or `discard`s it.
    std::uint32_t find_unexpected(const matching::Pattern& pattern, bool tagged, bool takes_out);
    void receive_taken_out(std::uint32_t request, std::uint32_t message);
    /// A posted receive is so no longer, and complete. False if it was not posted any more.
    bool cancel(std::uint32_t request);
    /// The endpoint is not used any more.
    void forget();
    void discard(std::uint32_t message);
    /// How a wait may end.
    struct Wait {
        /// Requests that are not complete, without which the rank cannot go on. None: it goes on
        /// with whatever arrives.
        std::span<const std::uint32_t> requests{};
        bool is_exact = false;       ///< It goes on when it has all of them, and not before.
        bool may_run_ahead = false;  ///< As soon as all of them are certain.
        bool has_others = false;     ///< Other receives are outstanding.
        /// The MPI library waits for these and for no message of its own; see running_ahead.hpp.
        bool holds_internal = false;
    };
    /// Waits. Returns whether the process runs ahead: all of the requests may be taken.
    bool wait(const Wait& wait);
    /// Whether the process may ever run ahead.
    bool may_run_ahead() const { return !x_state->keeps_in_time(x_rank); }
    /// Whether a wait may hold back messages of the MPI library itself (running_ahead.hpp).
    bool may_hold_internal() const { return !x_slot->held.sees_internal; }
    const endpoint::Endpoint& endpoint() const { return x_slot->endpoint; }
    /// What the rank waits for, should it turn out that it waits for ever: how many receives, and
    /// the oldest of them.
    void describe_wait(std::uint32_t receives, std::uint32_t oldest) {
        x_slot->call.waiting_count = receives;
        x_slot->call.waiting_for = oldest;
    }
    /// Whether some messages may arrive with errors.
    bool allows_errors() const { return x_state->bit_errors != nullptr && in_virtual_time(); }
    /// Decides whether a message to `target` may; see BitErrors.
    void decide_errors(endpoint::Head& head, std::uint32_t target, const SentContent& content,
                       bool is_aligned);
    /// The payload of a message that this rank has received arrives as links deliver it.
    void corrupt(const Message& message, std::span<std::byte> payload);

   private:
    /// Whether all that can arrive before the rank's clock has.
    bool has_caught_up() const;
    /// Whether there is something to look at.
    bool has_arrivals() const;
    /// Returns when the rank may ask its interface for something, if that matches: see
    /// ranks/scheduling.hpp. Not for a rank that runs ahead.
    void await_turn();
    matching::Search look_for(const matching::Pattern& pattern, bool tagged, bool takes_out);
    /// Whether the request, one of those that the process awaits, is certain.
    bool is_certain(std::uint32_t number, std::span<const std::uint32_t> awaited) {
        return kumi::conductor::is_certain(*x_state, request(number), awaited.size() == 1);
    }
};

}  // namespace kumi::conductor
