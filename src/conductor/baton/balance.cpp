#include "conductor/baton/balance.hpp"

#include <vector>

#include "conductor/pairing/running_ahead.hpp"

namespace kumi {
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

}  // namespace

const char* find_imbalance(const ConductorState& state, std::uint32_t& rank) {
    for (rank = 0; rank < state.configuration.ranks; ++rank)
        if (state.ranks[rank].status.load(std::memory_order_relaxed) > RankStatus::kLeft)
            return "a rank is in no state";
    const bool runs_ahead = can_run_ahead(state);
    std::vector<OpenReceives> open(state.configuration.ranks);
    for (std::uint32_t number = 0; number < state.requests.capacity(); ++number) {
        const Request& request = state.requests[number];
        if (request.state == RequestState::kFree || request.state == RequestState::kComplete)
            continue;
        rank = request.owner;
        // A process that is ahead takes what is certain, also where its rank never gets there.
        if (request.is_taken && !(runs_ahead && is_certain(state, request, true)))
            return "a process took a message that its rank never got";
        if (request.kind != RequestKind::kReceive) continue;
        if (request.state == RequestState::kPosted) ++open[rank].posted;
        const bool is_whole = request.message == endpoint::kNone;
        if (request.state == RequestState::kUnderWay && !is_whole) ++open[rank].under_way;
    }
    for (rank = 0; rank < state.configuration.ranks; ++rank) {
        const char* fault = find_imbalance_of(state.ranks[rank].endpoint, open[rank]);
        if (fault != nullptr) return fault;
    }
    return nullptr;
}

}  // namespace kumi
