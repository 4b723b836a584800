#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "conductor/records/records.hpp"

namespace kumi::schedule {

/// Tags of 32 bits in place of match bits of 64: match bits that the same receives of the run
/// accept, whatever their sources, have the same tag. Tags are numbered in the order of the
/// records, from 0.
class MatchTags {
   public:
    explicit MatchTags(std::span<const conductor::CallRecord> records);

    /// The tag of a message; nothing if no rank has sent one with these bits.
    std::optional<std::uint32_t> of_message(std::uint64_t bits) const {
        const auto place = x_of_bits.find(bits);
        if (place == x_of_bits.end()) return std::nullopt;
        return place->second;
    }
    /// The tag of a receive; nothing if it accepts messages of several tags.
    std::optional<std::uint32_t> of_receive(std::uint64_t bits, std::uint64_t ignore) const;

   private:
    using Pattern = std::pair<std::uint64_t, std::uint64_t>;  ///< What is compared, and the rest.

    /// Which receives accept the bits, by the numbers of their patterns.
    std::vector<std::uint32_t> accepted_by(std::uint64_t bits) const;
    void note_tag(const std::vector<std::uint32_t>& patterns, std::uint32_t tag);

    std::vector<std::uint64_t> x_masks;  ///< That receives ignore, each once.
    std::map<Pattern, std::uint32_t> x_patterns;
    /// Of each pattern: its only tag, kNoTag or kSeveralTags.
    std::vector<std::uint32_t> x_tag_of_pattern;
    std::unordered_map<std::uint64_t, std::uint32_t> x_of_bits;
    std::uint32_t x_unused = 0;  ///< The tag of receives that accept no message of the run.
};

}  // namespace kumi::schedule
