#include "conductor/pairing/pairing.hpp"

#include "conductor/pairing/running_ahead.hpp"
#include "conductor/ranks/inbox.hpp"

namespace kumi::conductor {
namespace {

constexpr auto kNo = matching::Counting::kNo;

/// Whether it is one of those for which receives with tags are posted.
bool is_envelope(const Message& message) {
    const endpoint::HeadKind kind = message.head.kind;
    return message.action == ArrivalAction::kDeliver && message.is_answer == 0 &&
           message.head.tagged &&
           (kind == endpoint::HeadKind::kEager || kind == endpoint::HeadKind::kRequestToSend);
}

matching::Envelope envelope_of(const Message& message) {
    return {message.source, message.head.tag};
}

void pair(ConductorState& state, std::uint32_t rank, std::uint32_t request, std::uint32_t index) {
    endpoint::Request& receive = state.requests[request];
    Message& message = state.messages.at(index);
    receive.paired = index;
    message.paired = request;
    ++state.slot(rank).pairing.pairs;
    note_certain(state, rank, receive);
}

/// The receive has no message any more, and the message no receive.
void part(ConductorState& state, std::uint32_t rank, endpoint::Request& receive) {
    state.messages.at(receive.paired).paired = endpoint::kNone;
    receive.paired = endpoint::kNone;
    --state.slot(rank).pairing.pairs;
}

/// The receive is not behind one from any source: pairs it, if its message has been sent.
void open(ConductorState& state, std::uint32_t rank, const matching::PostedEntry& entry) {
    Pairing& pairing = state.slot(rank).pairing;
    const matching::Search search = pairing.sent.take(*state.arena, entry.pattern(), kNo);
    if (search.found) return pair(state, rank, entry.id, search.id);
    pairing.open.append(*state.arena, entry);
}

/// Opens what is not behind a receive from any source any more.
void open_up(ConductorState& state, std::uint32_t rank) {
    Pairing& pairing = state.slot(rank).pairing;
    while (!pairing.behind.empty()) {
        const matching::PostedEntry entry = *pairing.behind.oldest();
        if (entry.source == matching::kAnySource) return;
        pairing.behind.remove_oldest(*state.arena);
        open(state, rank, entry);
    }
}

/// Takes a message out that was sent and has no partner. Of those with its envelope it must be the
/// oldest: they overtake none of each other.
bool take_sent(ConductorState& state, std::uint32_t rank, std::uint32_t index) {
    const matching::Envelope envelope = envelope_of(state.messages.at(index));
    const matching::Search search =
        state.slot(rank).pairing.sent.take(*state.arena, {envelope.source, envelope.tag, 0}, kNo);
    return search.found && search.id == index;
}

void condemn_pair(ConductorState& state, std::uint32_t rank) {
    state.condemn(VerdictKind::kCorrupt, rank, 0,
                  "it met another receive than the one that it was certain to meet");
}

}  // namespace

void note_certain(ConductorState& state, std::uint32_t rank, endpoint::Request& request) {
    RankSlot& slot = state.slot(rank);
    const bool waits = slot.process == ProcessState::kAwaitsRequests && !slot.stream.empty();
    if (!waits || slot.turn.uncertain == 0) return;
    if (request.is_uncertain && is_certain(state, request, slot.turn.awaits_one)) {
        request.is_uncertain = false;
        --slot.turn.uncertain;
    }
    if (slot.turn.awaits_others && slot.pairing.needs_no_answer()) {
        slot.turn.awaits_others = false;
        --slot.turn.uncertain;
    }
    if (slot.turn.uncertain > 0) return;
    slot.process.enter(ProcessState::kReady);
    state.scheduling.ready.push({slot.turn.ran_last, slot.turn.computes_long, rank});
}

void pair_receive(ConductorState& state, std::uint32_t rank, std::uint32_t request) {
    if (state.keeps_in_time(rank)) return;
    Pairing& pairing = state.slot(rank).pairing;
    const auto entry = matching::PostedEntry::of(state.requests[request].pattern, request);
    if (entry.source == matching::kAnySource || !pairing.behind.empty())
        return pairing.behind.append(*state.arena, entry);
    open(state, rank, entry);
}

void pair_message(ConductorState& state, std::uint32_t index) {
    const Message& message = state.messages.at(index);
    if (!is_envelope(message) || state.keeps_in_time(message.target)) return;
    Pairing& pairing = state.slot(message.target).pairing;
    if (message.is_synchronous != 0) pairing.has_synchronous = true;
    const matching::Envelope envelope = envelope_of(message);
    const matching::Search search = pairing.open.take(*state.arena, envelope, kNo);
    if (search.found) return pair(state, message.target, search.id, index);
    pairing.sent.append(*state.arena, matching::UnexpectedEntry::of(envelope, index));
}

void confirm_pair(ConductorState& state, std::uint32_t rank, std::uint32_t request,
                  std::uint32_t index) {
    const endpoint::Request& receive = state.requests[request];
    const Message& message = state.messages.at(index);
    Pairing& pairing = state.slot(rank).pairing;
    if (receive.paired == index && message.paired == request) {
        --pairing.pairs;
        return;
    }
    if (receive.paired != endpoint::kNone || message.paired != endpoint::kNone)
        return condemn_pair(state, rank);
    // A message that was taken out, or any once no pairs are made any more, is not kept here.
    if (receive.is_claimed || state.keeps_in_time(rank)) return;
    const matching::Search search = pairing.behind.take(*state.arena, envelope_of(message), kNo);
    if (!search.found || search.id != request || !take_sent(state, rank, index))
        return condemn_pair(state, rank);
    open_up(state, rank);
}

void unpair_message(ConductorState& state, std::uint32_t rank, std::uint32_t index) {
    const bool is_promised = state.messages.at(index).paired != endpoint::kNone;
    if (is_promised || (!state.keeps_in_time(rank) && !take_sent(state, rank, index)))
        condemn_pair(state, rank);
}

void withdraw_receive(ConductorState& state, std::uint32_t rank, std::uint32_t request) {
    endpoint::Request& receive = state.requests[request];
    if (receive.paired != endpoint::kNone) {
        // Its message goes to another one now, whose message goes to a third.
        part(state, rank, receive);
        keep_in_time(state.slot(rank));
        return dissolve_pairs(state, rank);
    }
    Pairing& pairing = state.slot(rank).pairing;
    if (state.keeps_in_time(rank) || pairing.open.remove(*state.arena, request)) return;
    pairing.behind.remove(*state.arena, request);
    open_up(state, rank);
}

void dissolve_pairs(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    if (slot.pairing.pairs == 0) return;
    slot.endpoint.posted[1].for_each([&](const matching::PostedEntry& entry) {
        endpoint::Request& receive = state.requests[entry.id];
        if (receive.paired != endpoint::kNone) part(state, rank, receive);
        return true;
    });
    if (slot.pairing.pairs != 0) condemn_pair(state, rank);
}

void pair_what_is_there(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    slot.endpoint.posted[1].for_each([&](const matching::PostedEntry& entry) {
        pair_receive(state, rank, entry.id);
        return true;
    });
    slot.endpoint.unexpected[1].for_each([&](const matching::UnexpectedEntry& entry) {
        pair_message(state, entry.id);
        return true;
    });
    look_through(state, rank, [&](std::uint32_t index, const Message&) {
        pair_message(state, index);
        return false;
    });
}

}  // namespace kumi::conductor
