#pragma once

#include <cstdint>
#include <vector>

#include "endpoint/interface.hpp"

namespace kumi::schedule {

/// The interfaces of a replay's ranks, if they match messages: see endpoint/interface.hpp.
class ReplayInterfaces {
   public:
    static constexpr std::uint32_t kNone = endpoint::Deliveries::kNone;

    /// An operation whose interface has done its part.
    struct Ended {
        Instant at{};
        std::uint64_t size_bytes = 0;
        std::uint32_t operation = 0;
        std::uint32_t source = 0;      ///< Of what is received: rank.
        std::uint32_t generation = 0;  ///< The same: of its connection.
        std::uint32_t next = kNone;
        bool is_receive = false;
        bool needs_service = false;
        bool by_datagrams = false;
        bool was_requested = false;
    };

    explicit ReplayInterfaces(std::uint32_t ranks) : x_ranks(ranks) {}

    /// See InterfaceTimeLine::work.
    Instant work(std::uint32_t rank, Instant when, Duration span) {
        return x_ranks[rank].time_line.work(when, span);
    }
    void deliver(std::uint32_t rank, const Ended& ended, endpoint::Delivery kind) {
        if (x_free == kNone) {
            x_free = static_cast<std::uint32_t>(x_ended.size());
            x_ended.emplace_back();
        }
        const std::uint32_t number = x_free;
        x_free = x_ended[number].next;
        x_ended[number] = ended;
        x_ranks[rank].deliveries.add(*this, number, kind);
    }
    /// When the next delivery has ended; kNever if there is none.
    Instant next_at(std::uint32_t rank) const { return x_ranks[rank].deliveries.next_at(*this); }
    /// Takes it out; there must be one.
    Ended take(std::uint32_t rank) {
        const std::uint32_t number = x_ranks[rank].deliveries.take(*this);
        x_ended[number].next = x_free;
        x_free = number;
        return x_ended[number];
    }
    /// When the rank will look, as far as that stands in the queue of resumptions.
    Instant& looks_at(std::uint32_t rank) { return x_ranks[rank].looks_at; }

    // For Deliveries.
    Instant delivered_at(std::uint32_t number) const { return x_ended[number].at; }
    std::uint32_t& next_delivery(std::uint32_t number) { return x_ended[number].next; }

   private:
    struct Rank {
        endpoint::InterfaceTimeLine time_line;
        endpoint::Deliveries deliveries;
        Instant looks_at = kNever;
    };

    std::vector<Rank> x_ranks;
    std::vector<Ended> x_ended;
    std::uint32_t x_free = kNone;  ///< The first of those that are not used, in a list.
};

}  // namespace kumi::schedule
