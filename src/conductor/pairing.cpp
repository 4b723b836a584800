#include "conductor/pairing.hpp"

#include <vector>

#include "conductor/post.hpp"
#include "conductor/state.hpp"

namespace kumi {
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
    note_certain(state, rank, receive);
}

/// Makes pairs of what has none: a receive from any source is no longer in the way.
void pair_again(ConductorState& state, std::uint32_t rank) {
    Pairing& pairing = state.slot(rank).pairing;
    std::vector<matching::PostedEntry> candidates;
    pairing.posted.for_each([&](const matching::PostedEntry& entry) {
        if (entry.source == matching::kAnySource) {
            pairing.first_wildcard = state.requests[entry.id].order;
            return false;
        }
        candidates.push_back(entry);
        return true;
    });
    for (const matching::PostedEntry& entry : candidates) {
        const matching::Search search = pairing.sent.take(*state.arena, entry.pattern(), kNo);
        if (!search.found) continue;
        pairing.posted.remove(*state.arena, entry.id);
        pair(state, rank, entry.id, search.id);
    }
}

}  // namespace

void note_certain(ConductorState& state, std::uint32_t rank, endpoint::Request& request) {
    RankSlot& slot = state.slot(rank);
    if (!request.is_uncertain || slot.uncertain == 0 ||
        slot.process != ProcessState::kAwaitsRequests)
        return;
    // Of several messages, each of those that want an answer gets it when it has arrived.
    const bool wants_answer = request.kind == endpoint::RequestKind::kReceive &&
                              state.messages.at(request.paired).is_synchronous != 0;
    if (wants_answer && !slot.awaits_one) return;
    request.is_uncertain = false;
    if (--slot.uncertain > 0) return;
    slot.process = ProcessState::kReady;
    state.ready.push({slot.ran_last, slot.computes_long, rank});
}

void pair_receive(ConductorState& state, std::uint32_t rank, std::uint32_t request) {
    if (state.keeps_in_time(rank)) return;
    Pairing& pairing = state.slot(rank).pairing;
    const endpoint::Request& receive = state.requests[request];
    const bool is_wildcard = receive.pattern.source == matching::kAnySource;
    if (is_wildcard && pairing.wildcards++ == 0) pairing.first_wildcard = receive.order;
    if (pairing.wildcards == 0) {
        const matching::Search search = pairing.sent.take(*state.arena, receive.pattern, kNo);
        if (search.found) return pair(state, rank, request, search.id);
    }
    pairing.posted.append(*state.arena, matching::PostedEntry::of(receive.pattern, request));
}

void pair_message(ConductorState& state, std::uint32_t index) {
    const Message& message = state.messages.at(index);
    if (!is_envelope(message) || state.keeps_in_time(message.target)) return;
    Pairing& pairing = state.slot(message.target).pairing;
    const matching::Envelope envelope = envelope_of(message);
    bool is_certain = false;
    const matching::Search search = pairing.posted.take(
        *state.arena, envelope, kNo, [](const matching::PostedEntry&) { return true; },
        [&](const matching::PostedEntry& entry) {
            is_certain =
                pairing.wildcards == 0 || state.requests[entry.id].order < pairing.first_wildcard;
            return !is_certain;
        });
    if (search.found && is_certain) return pair(state, message.target, search.id, index);
    pairing.sent.append(*state.arena, matching::UnexpectedEntry::of(envelope, index));
}

void confirm_pair(ConductorState& state, std::uint32_t rank, std::uint32_t request,
                  std::uint32_t index) {
    if (state.keeps_in_time(rank)) return;
    endpoint::Request& receive = state.requests[request];
    const Message& message = state.messages.at(index);
    if (receive.paired == index && message.paired == request) return;
    if (receive.paired != endpoint::kNone || message.paired != endpoint::kNone)
        return state.condemn(VerdictKind::kCorrupt, rank, 0,
                             "it met another receive than the one that it was certain to meet");
    Pairing& pairing = state.slot(rank).pairing;
    pairing.posted.remove(*state.arena, request);
    pairing.sent.remove(*state.arena, index);
    if (receive.pattern.source != matching::kAnySource) return;
    --pairing.wildcards;
    pair_again(state, rank);
}

void unpair_message(ConductorState& state, std::uint32_t rank, std::uint32_t message) {
    if (!state.keeps_in_time(rank)) state.slot(rank).pairing.sent.remove(*state.arena, message);
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

}  // namespace kumi
