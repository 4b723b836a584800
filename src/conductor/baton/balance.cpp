#include "conductor/baton/balance.hpp"

#include <vector>

#include "conductor/pairing/running_ahead.hpp"

namespace kumi::conductor {
namespace {

using endpoint::Request;
using endpoint::RequestKind;
using endpoint::RequestState;

/// Receives that are not complete.
struct OpenReceives {
    std::uint64_t posted = 0;
    std::uint64_t under_way = 0;
};

const char* find_imbalance_of(const endpoint::Endpoint& endpoint, const OpenReceives& open) {
    const std::uint64_t unexpected = endpoint.unexpected[0].size() + endpoint.unexpected[1].size();
    const std::uint64_t posted = endpoint.posted[0].size() + endpoint.posted[1].size();
    if (endpoint.envelopes != endpoint.matches + unexpected + endpoint.claims)
        return "not every message was matched once";
    if (endpoint.matches != endpoint.receptions + open.under_way)
        return "not every match was paid for once";
    if (posted != open.posted) return "not every receive was posted once";
    return nullptr;
}

/// Sends and waits that are still to be carried out.
std::uint64_t count_deferred(const Stream& stream) {
    using Kind = StreamOperation::Kind;
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < stream.size(); ++i) {
        const Kind kind = stream.upcoming(i).kind;
        count += kind == Kind::kSend || kind == Kind::kWait || kind == Kind::kWaiting ? 1 : 0;
    }
    return count;
}

/// Whether the message that a posted receive was to get for certain is there, and it has not got
/// it.
bool misses_message(const ConductorState& state, const Request& request) {
    if (request.paired == endpoint::kNone) return false;
    if (!state.messages.may_be(request.paired)) return true;
    const Message& message = state.messages.at(request.paired);
    return message.arrived > Instant{} && state.ranks[request.owner].inbox.empty();
}

/// Why one that is not over makes no sense; counts it as open otherwise.
const char* find_imbalance_of(const ConductorState& state, const Request& request,
                              OpenReceives& open) {
    // A process that is ahead takes what is certain, also where its rank never gets there.
    if (request.is_taken && !(can_run_ahead(state) && is_certain(state, request, true)))
        return "a process took a message that its rank never got";
    if (request.kind != RequestKind::kReceive) return nullptr;
    if (request.state == RequestState::kPosted && misses_message(state, request))
        return "a receive waits for a message that has arrived";
    if (request.state == RequestState::kPosted) ++open.posted;
    const bool is_whole = request.message == endpoint::kNone;
    if (request.state == RequestState::kUnderWay && !is_whole) ++open.under_way;
    return nullptr;
}

/// Nothing is on its way.
const char* find_lost_messages(const ConductorState& state, std::uint32_t& rank) {
    std::uint64_t sent = 0, received = 0, deferred = 0;
    for (rank = 0; rank < state.configuration.ranks; ++rank) {
        const RankSlot& slot = state.ranks[rank];
        if (slot.due != 0) return "a rank has messages on their way, and the network has none";
        sent += slot.totals.messages_sent;
        received += slot.totals.messages_received;
        deferred += count_deferred(slot.stream);
    }
    rank = 0;
    if (sent != received) return "not every message that was sent has arrived";
    if (deferred != state.deferred) return "not every deferred operation was carried out";
    return nullptr;
}

}  // namespace

const char* find_imbalance(const ConductorState& state, std::uint32_t& rank) {
    for (rank = 0; rank < state.configuration.ranks; ++rank) {
        const RankSlot& slot = state.ranks[rank];
        if (slot.status.load(std::memory_order_relaxed) > RankStatus::kLeft)
            return "a rank is in no state";
        if (!slot.clock.is_whole()) return "its clock was overwritten";
    }
    if (state.network->messages_in_flight() == 0) {
        if (const char* fault = find_lost_messages(state, rank)) return fault;
    }
    std::vector<OpenReceives> open(state.configuration.ranks);
    const char* found = nullptr;
    state.requests.for_each([&](std::uint32_t number) {
        const Request& request = state.requests[number];
        const bool is_open =
            request.state != RequestState::kFree && request.state != RequestState::kComplete;
        if (found != nullptr || !is_open) return;
        rank = request.owner;
        found = find_imbalance_of(state, request, open[rank]);
    });
    if (found != nullptr) return found;
    for (rank = 0; rank < state.configuration.ranks; ++rank) {
        const char* fault = find_imbalance_of(state.ranks[rank].endpoint, open[rank]);
        if (fault != nullptr) return fault;
    }
    return nullptr;
}

}  // namespace kumi::conductor
