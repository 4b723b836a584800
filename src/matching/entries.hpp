#pragma once

#include <cstdint>

#include "matching/envelope.hpp"

/// What the two sides of matching keep. `id` is the caller's: which receive, which message.
///
/// An entry is searched for with a probe, a Pattern or an Envelope. `key()` is what a family's hash
/// is taken of.
namespace kumi::matching {

/// A receive that waits for its message. Searched for with the envelope of a message that arrives.
struct PostedEntry {
    std::uint64_t tag = 0;
    std::uint64_t ignore = 0;
    std::uint32_t source = kAnySource;
    std::uint32_t id = 0;

    using Probe = Envelope;
    static constexpr bool kHasFamily = true;

    static PostedEntry of(const Pattern& pattern, std::uint32_t id) {
        return {pattern.tag, pattern.ignore, pattern.source, id};
    }
    Pattern pattern() const { return {source, tag, ignore}; }
    bool accepts(const Envelope& envelope) const { return pattern().accepts(envelope); }
    Family family() const { return family_of(pattern()); }
    Envelope key() const { return {source, tag}; }
};
static_assert(sizeof(PostedEntry) == 24);

/// A message that no receive was waiting for. Searched for with the pattern of a receive or probe.
struct UnexpectedEntry {
    std::uint64_t tag = 0;
    std::uint32_t source = 0;
    std::uint32_t id = 0;

    using Probe = Pattern;
    static constexpr bool kHasFamily = false;

    static UnexpectedEntry of(const Envelope& envelope, std::uint32_t id) {
        return {envelope.tag, envelope.source, id};
    }
    bool accepts(const Pattern& pattern) const { return pattern.accepts(key()); }
    Envelope key() const { return {source, tag}; }
};
static_assert(sizeof(UnexpectedEntry) == 16);

}  // namespace kumi::matching
