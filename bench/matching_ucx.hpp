#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "matching/envelope.hpp"
#include "ucx_queues.h"

namespace kumi::bench {

/// The queue of UCX, of receives or of messages, as Open MPI uses it.
class MatchingUcx {
   public:
    /// `keys` entries, and what finds them: of a message its envelope and the receive's pattern, of
    /// a receive its pattern and the message's envelope.
    MatchingUcx(bool is_posted, std::uint32_t keys, const UcxTags& entries, const UcxTags& probes)
        : x_is_posted(is_posted),
          x_entries(entries),
          x_probes(probes),
          x_queues(ucx_queues_new(keys)) {}

    /// Those of keys 0 and 1, as of all others.
    static UcxTags tags_of(const matching::Envelope& zero, const matching::Envelope& one) {
        return {tag_of(zero), tag_of(one) - tag_of(zero), ~std::uint64_t{0}};
    }
    static UcxTags tags_of(const matching::Pattern& zero, const matching::Pattern& one) {
        const bool any_source = zero.source == matching::kAnySource;
        const std::uint64_t ignored = zero.ignore << 40 | (any_source ? kSourceBits : 0);
        return {tag_of(zero), tag_of(one) - tag_of(zero), ~ignored};
    }

    /// Whether UCX has been compiled in.
    explicit operator bool() const { return x_queues != nullptr; }

    /// Inserts these keys alone, in this order.
    void fill(std::span<const std::uint32_t> order) {
        ucx_queues_fill(x_queues.get(), x_is_posted, order.data(),
                        static_cast<std::uint32_t>(order.size()), x_entries);
    }
    /// Matches each key in turn and inserts it again; whether each match was the right one.
    bool turn(std::span<const std::uint32_t> keys) {
        return ucx_queues_turn(x_queues.get(), x_is_posted, keys.data(),
                               static_cast<std::uint32_t>(keys.size()), x_probes, x_entries) != 0;
    }

   private:
    struct Free {
        void operator()(UcxQueues* queues) const { ucx_queues_free(queues); }
    };
    static constexpr std::uint64_t kSourceBits = std::uint64_t{0xFFFFF} << 20;

    template <class Named>
    static std::uint64_t tag_of(const Named& named) {
        const std::uint64_t source = named.source == matching::kAnySource ? 0 : named.source;
        return named.tag << 40 | source << 20;
    }

    const bool x_is_posted;
    const UcxTags x_entries;
    const UcxTags x_probes;
    const std::unique_ptr<UcxQueues, Free> x_queues;
};

}  // namespace kumi::bench
