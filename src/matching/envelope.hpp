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

/// The kind of wildcard that a pattern has. All patterns of one family that accept an envelope are
/// equal in what they compare: one hash of that finds them.
struct Family {
    std::uint64_t ignore = 0;
    bool any_source = false;

    bool operator==(const Family&) const = default;

    /// Of what this family compares: equal for two envelopes, or a pattern and an envelope that it
    /// accepts. Four tags in a row, as programs number their messages, have hashes that differ in
    /// the last two bits only: their places in a table share a cache line.
    std::uint32_t hash(const Envelope& envelope) const {
        const std::uint64_t tag = envelope.tag & ~ignore;
        std::uint64_t mixed = (tag >> 2) * 0x9E3779B97F4A7C15ULL;
        if (!any_source) mixed += (std::uint64_t{envelope.source} + 1) * 0xBF58476D1CE4E5B9ULL;
        mixed = (mixed ^ (mixed >> 32)) * 0x94D049BB133111EBULL;
        return static_cast<std::uint32_t>(mixed >> 32 << 2 | ((tag + (mixed >> 30)) & 3));
    }
    bool same(const Envelope& one, const Envelope& other) const {
        return ((one.tag ^ other.tag) & ~ignore) == 0 && (any_source || one.source == other.source);
    }
};

inline Family family_of(const Pattern& pattern) {
    return {pattern.ignore, pattern.source == kAnySource};
}

}  // namespace kumi::matching
