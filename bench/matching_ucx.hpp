#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "matching/envelope.hpp"
#include "ucx_queues.h"

namespace kumi::bench {

/// The queue of UCX, of receives or of messages, as Open MPI uses it.
class MatchingUcx {
   public:
    /// An entry for each element, and what finds it: of a message its envelope and the receive's
    /// pattern, of a receive its pattern and the message's envelope.
    MatchingUcx(bool is_posted, std::vector<UcxTag> entries, std::vector<UcxTag> probes)
        : x_is_posted(is_posted),
          x_entries(std::move(entries)),
          x_probes(std::move(probes)),
          x_queues(ucx_queues_new(static_cast<std::uint32_t>(x_entries.size()))) {}

    static UcxTag tag_of(const matching::Envelope& envelope) {
        return {envelope.tag << 40 | std::uint64_t{envelope.source} << 20, ~std::uint64_t{0}};
    }
    static UcxTag tag_of(const matching::Pattern& pattern) {
        const bool any_source = pattern.source == matching::kAnySource;
        const std::uint64_t source = any_source ? 0 : pattern.source;
        const std::uint64_t ignored = pattern.ignore << 40 | (any_source ? kSourceBits : 0);
        return {pattern.tag << 40 | source << 20, ~ignored};
    }

    /// Whether UCX has been compiled in.
    explicit operator bool() const { return x_queues != nullptr; }

    /// Inserts these keys alone, in this order.
    void fill(std::span<const std::uint32_t> order) {
        ucx_queues_fill(x_queues.get(), x_is_posted, order.data(),
                        static_cast<std::uint32_t>(order.size()), x_entries.data());
    }
    /// Matches each key in turn and inserts it again; whether each match was the right one.
    bool turn(std::span<const std::uint32_t> keys) {
        return ucx_queues_turn(x_queues.get(), x_is_posted, keys.data(),
                               static_cast<std::uint32_t>(keys.size()), x_probes.data(),
                               x_entries.data()) != 0;
    }

   private:
    struct Free {
        void operator()(UcxQueues* queues) const { ucx_queues_free(queues); }
    };
    static constexpr std::uint64_t kSourceBits = std::uint64_t{0xFFFFF} << 20;

    const bool x_is_posted;
    const std::vector<UcxTag> x_entries;
    const std::vector<UcxTag> x_probes;
    const std::unique_ptr<UcxQueues, Free> x_queues;
};

}  // namespace kumi::bench
