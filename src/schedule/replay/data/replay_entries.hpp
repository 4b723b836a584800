#pragma once

#include <cstdint>

#include "matching/envelope.hpp"
#include "matching/queue.hpp"
#include "schedule/operation.hpp"

/// What the queues of a replay keep: as matching's own entries, with tags of half the size, since
/// there may be millions of ranks.
namespace kumi::schedule {

/// A receive that waits for its message; `id` is its number among its rank's operations.
struct ReplayPosted {
    std::uint32_t source = 0;  ///< Or kAnyPeer.
    std::uint32_t tag = 0;     ///< Or kAnyTag.
    std::uint32_t id = 0;

    using Probe = matching::Envelope;
    static constexpr bool kHasFamily = true;

    matching::Pattern pattern() const { return {source, tag, ignored(tag)}; }
    bool accepts(const matching::Envelope& envelope) const { return pattern().accepts(envelope); }
    matching::Family family() const { return matching::family_of(pattern()); }
    matching::Envelope key() const { return {source, tag}; }

    /// The bits of a receive's tag that are not compared.
    static std::uint64_t ignored(std::uint32_t tag) {
        return tag == kAnyTag ? ~std::uint64_t{0} : 0;
    }
};
static_assert(kAnyPeer == matching::kAnySource);

/// A message that no receive was waiting for; `id` is the number of its transfer.
struct ReplayUnexpected {
    std::uint32_t source = 0;
    std::uint32_t tag = 0;
    std::uint32_t id = 0;

    using Probe = matching::Pattern;
    static constexpr bool kHasFamily = false;

    bool accepts(const matching::Pattern& pattern) const { return pattern.accepts(key()); }
    matching::Envelope key() const { return {source, tag}; }
};

using ReplayPostedQueue = matching::Queue<ReplayPosted, matching::WhenEmpty::kGivesBack>;
using ReplayUnexpectedQueue = matching::Queue<ReplayUnexpected, matching::WhenEmpty::kGivesBack>;

}  // namespace kumi::schedule
