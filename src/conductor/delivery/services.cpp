#include "conductor/delivery/services.hpp"

#include <utility>

#include "conductor/delivery/post.hpp"
#include "conductor/ranks/message_checks.hpp"
#include "conductor/records/service_memory.hpp"
#include "endpoint/service/service.hpp"

namespace kumi::conductor {
namespace {

namespace service = endpoint::service;
using endpoint::HeadKind;

/// Whether it is an envelope of another host's. Others are messages of the interface itself, or
/// stay in memory that ranks share.
bool needs_service(const ConductorState& state, const Message& message) {
    return state.phase.load(std::memory_order_relaxed) == Phase::kVirtual &&
           message.action == ArrivalAction::kDeliver && message.is_answer == 0 &&
           (message.head.kind == HeadKind::kEager ||
            message.head.kind == HeadKind::kRequestToSend) &&
           state.ranks[message.source].host != state.ranks[message.target].host;
}

service::Peer& peer_of(ConductorState& state, std::uint32_t rank, std::uint32_t other) {
    service::Account& account = state.services[rank];
    if (account.peers == nullptr)
        account.peers = state.arena->make_array<service::Peer>(state.rank_count());
    return account.peers[other];
}

/// Notes the rank's connections and memory from `at` on.
void note_memory(ConductorState& state, std::uint32_t rank, Instant at) {
    const service::Parameters& parameters = state.configuration.endpoint.service;
    service::Account& account = state.services[rank];
    service::note_memory(parameters, account);
    if (!state.recorder.records_services()) return;
    state.record(rank, service_memory_record(parameters, account, rank, at));
}

void send_closing(ConductorState& state, std::uint32_t rank, std::uint32_t other,
                  std::uint32_t generation) {
    const std::uint32_t index = state.messages.acquire();
    Message& notice = state.messages.at(index);
    notice.source = rank;
    notice.target = other;
    notice.kind = MessageKind::kControl;
    notice.size_bytes = state.configuration.endpoint.control_bytes;
    notice.head.kind = HeadKind::kClosing;
    notice.head.generation = generation;
    // No service is asked about a message of the service itself.
    notice.sent = state.slot(rank).clock;
    post_by_rank(state, index, /*is_request=*/false, /*is_sealed=*/false);
}

/// Closes connections until the rank may ask for another one, if that is possible.
void make_room(ConductorState& state, std::uint32_t rank) {
    service::Account& account = state.services[rank];
    std::uint64_t needed = service::closings_needed(state.configuration.endpoint.service, account);
    for (; needed > 0; --needed) {
        std::uint32_t least = 0;
        const service::Peer* found = nullptr;
        for (std::uint32_t other = 0; other < state.rank_count(); ++other) {
            const service::Peer& peer = account.peers[other];
            if (!service::is_less_valuable(account, peer, other, found, least)) continue;
            least = other;
            found = &peer;
        }
        send_closing(state, rank, least, service::close(account, account.peers[least]));
    }
}

/// A message is to leave at the clock of its source: sets when it does, and how. Returns for how
/// long the rank works after that; what it does before moves its clock.
Duration use_service(ConductorState& state, Message& message) {
    RankSlot& slot = state.slot(message.source);
    if (!needs_service(state, message)) return {};
    const bool is_request = message.head.kind == HeadKind::kRequestToSend;
    const service::Parameters& parameters = state.configuration.endpoint.service;
    service::Account& account = state.services[message.source];
    service::Peer& peer = peer_of(state, message.source, message.target);
    const std::uint64_t steps = account.steps();
    if (service::may_evict_for(parameters, account, peer)) make_room(state, message.source);
    const service::Departure departure = service::depart(parameters, account, peer,
                                                         {.at = slot.clock,
                                                          .size_bytes = message.size_bytes,
                                                          .fetched_bytes = message.head.size_bytes,
                                                          .is_request = is_request});
    if (account.steps() != steps) note_memory(state, message.source, slot.clock);
    slot.clock += departure.before;
    message.sent = departure.leaves;
    message.head.by_datagrams = departure.by_datagrams;
    message.head.generation = departure.generation;
    return departure.after;
}

}  // namespace

void send_now(ConductorState& state, std::uint32_t index, bool is_request, bool is_sealed) {
    Message& message = state.messages.at(index);
    RankSlot& slot = state.slot(message.source);
    message.sent = slot.clock;
    Duration after{};
    if (state.services != nullptr) {
        after = use_service(state, message);
        is_sealed = false;
    }
    post_by_rank(state, index, is_request, is_sealed);
    slot.clock += after;
}

void accept_connection(ConductorState& state, std::uint32_t index) {
    const Message& message = state.messages.at(index);
    if (message.head.by_datagrams || !needs_service(state, message)) return;
    service::Account& account = state.services[message.target];
    const std::uint64_t steps = account.steps();
    const Instant now = state.slot(message.target).clock;
    service::accept(account, peer_of(state, message.target, message.source), now,
                    message.head.generation);
    if (account.steps() != steps) note_memory(state, message.target, now);
}

void hear_closing(ConductorState& state, std::uint32_t index) {
    const Message& message = state.messages.at(index);
    const std::uint32_t rank = message.target;
    // A rank that has ended keeps what it had.
    if (state.phase.load(std::memory_order_relaxed) == Phase::kVirtual) {
        service::Account& account = state.services[rank];
        const std::uint64_t steps = account.steps();
        service::hear_closing(account, peer_of(state, rank, message.source),
                              message.head.generation);
        if (account.steps() != steps) note_memory(state, rank, state.slot(rank).clock);
    }
    discard(state, index);
}

void connect_ahead(ConductorState& state, std::uint32_t rank, std::span<service::Traffic> traffic) {
    const service::Parameters& parameters = state.configuration.endpoint.service;
    service::rank_by_need(traffic);
    for (const service::Traffic& each : traffic) {
        if (state.ranks[rank].host == state.ranks[each.target].host) continue;
        service::Peer& peer = peer_of(state, rank, each.target);
        service::ask_ahead(parameters, state.services[rank], peer);
    }
}

void accept_ahead(ConductorState& state) {
    for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank) {
        const service::Peer* peers = state.services[rank].peers;
        for (std::uint32_t other = 0; peers != nullptr && other < state.rank_count(); ++other)
            if (peers[other].relation == service::Relation::kAsked)
                service::accept(state.services[other], peer_of(state, other, rank), {},
                                /*generation=*/0);
    }
}

Instant connect_for_schedule(ConductorState& state, std::uint32_t rank,
                             std::span<const std::uint32_t> targets) {
    const RankSlot& slot = state.slot(rank);
    const service::Parameters& parameters = state.configuration.endpoint.service;
    service::Account& account = state.services[rank];
    const std::uint64_t steps = account.steps();
    Instant ready = slot.clock;
    for (const std::uint32_t target : targets) {
        if (state.ranks[target].host == slot.host) continue;
        service::Peer& peer = peer_of(state, rank, target);
        if (service::wants_for_schedule(parameters, account, peer)) {
            if (parameters.kind == service::Kind::kHintEvict) make_room(state, rank);
            service::ask(parameters, account, peer, slot.clock);
        }
        if (!peer.is_connected()) continue;
        service::note_use(account, peer, slot.clock);
        ready = later(ready, peer.ready);
    }
    if (account.steps() != steps) note_memory(state, rank, slot.clock);
    return service::waits_for_connections(parameters) ? ready : slot.clock;
}

void note_first_memory(ConductorState& state) {
    for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank) note_memory(state, rank, {});
}

bool record_traffic(ConductorState& state) {
    if (!state.recorder.records_services()) return true;
    for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank) {
        const service::Peer* peers = state.services[rank].peers;
        for (std::uint32_t other = 0; peers != nullptr && other < state.rank_count(); ++other) {
            const auto [messages, packets] = std::pair(peers[other].messages, peers[other].packets);
            if (messages == 0) continue;
            if (!state.recorder.add(TrafficRecord{rank, other, messages, packets})) return false;
        }
    }
    return true;
}

void take_hint(ConductorState& state, std::uint32_t rank, service::Hint hint) {
    const service::Parameters& parameters = state.configuration.endpoint.service;
    service::Account& account = state.services[rank];
    const std::uint64_t before = service::memory_of(parameters, account).total_bytes();
    service::take_hint(account, hint);
    if (service::memory_of(parameters, account).total_bytes() != before)
        note_memory(state, rank, state.slot(rank).clock);
}

}  // namespace kumi::conductor
