#include "schedule/replay/replay_services.hpp"

#include <algorithm>

namespace kumi {

namespace service = endpoint::service;

void ReplayServices::accept_ahead() {
    for (std::uint32_t rank = 0; rank < x_peers.size(); ++rank) {
        std::vector<std::uint32_t> asked;
        for (const auto& [other, peer] : x_peers[rank])
            if (peer.relation == service::Relation::kAsked) asked.push_back(other);
        // In any order: each is another rank's account.
        for (const std::uint32_t other : asked) accept(other, rank, {});
    }
}

std::vector<TrafficRecord> ReplayServices::traffic(std::uint32_t rank) const {
    std::vector<TrafficRecord> found;
    for (const auto& [other, peer] : x_peers[rank])
        if (peer.messages > 0) found.push_back({rank, other, peer.messages, peer.packets});
    std::ranges::sort(found, {}, &TrafficRecord::target);
    return found;
}

}  // namespace kumi
