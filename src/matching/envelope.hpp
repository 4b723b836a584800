#pragma once

#include <cstdint>

namespace kumi::matching {

inline constexpr std::uint32_t kAnySource = 0xFFFFFFFF;

/// What a message says of itself.
struct Envelope {
    std::uint32_t source = 0;
    std::uint64_t tag = 0;
};

/// What a receive or a probe accepts: tag bits set in `ignore` are not compared.
struct Pattern {
    std::uint32_t source = kAnySource;
    std::uint64_t tag = 0;
    std::uint64_t ignore = 0;

    bool operator==(const Pattern&) const = default;

    bool accepts(const Envelope& envelope) const {
        return ((tag ^ envelope.tag) & ~ignore) == 0 &&
               (source == kAnySource || source == envelope.source);
    }
};

/// Accepts every message.
inline constexpr Pattern kAnything{kAnySource, 0, ~std::uint64_t{0}};

/// A hash of two parts, so that numbers that follow each other lie next to each other.
struct Hash {
    std::uint64_t spread = 0;  ///< Equal for four tags in a row. The high bits are evenly spread.
    std::uint64_t near = 0;    ///< The last two bits are those of the tag.

    bool operator==(const Hash&) const = default;
};

/// The kind of wildcard that a pattern has. All patterns of one family that accept an envelope are
/// equal in what they compare: one hash of that finds them.
struct Family {
    std::uint64_t tag_bits = ~std::uint64_t{0};     ///< Those that are compared.
    std::uint32_t source_bits = ~std::uint32_t{0};  ///< All or none.

    bool operator==(const Family&) const = default;

    /// Of what this family compares: equal for two envelopes, or a pattern and an envelope that it
    /// accepts. Tags, or sources, that follow each other are spread evenly (Fibonacci hashing).
    Hash hash(const Envelope& envelope) const {
        const std::uint64_t tag = envelope.tag & tag_bits;
        const std::uint64_t source = envelope.source & source_bits;
        // Of the golden ratio and of the square root of 2, what is behind the point.
        return {(tag >> 2) * 0x9E3779B97F4A7C15 + source * 0x6A09E667F3BCC909, tag};
    }
    bool same(const Envelope& one, const Envelope& other) const {
        return ((one.tag ^ other.tag) & tag_bits) == 0 &&
               ((one.source ^ other.source) & source_bits) == 0;
    }
};

inline Family family_of(const Pattern& pattern) {
    return {~pattern.ignore, pattern.source == kAnySource ? 0 : ~std::uint32_t{0}};
}

// What the two sides of matching keep. `id` is the caller's: which receive, which message. An entry
// is searched for with a probe, a Pattern or an Envelope. `key()` is what a family's hash is taken
// of.

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
