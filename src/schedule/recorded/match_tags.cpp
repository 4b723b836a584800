#include "schedule/recorded/match_tags.hpp"

#include <algorithm>

namespace kumi::schedule {
namespace {

constexpr std::uint32_t kNoTag = 0xFFFFFFFF;
constexpr std::uint32_t kSeveralTags = 0xFFFFFFFE;

bool is(const conductor::CallRecord& record, conductor::CallStep kind) {
    return static_cast<conductor::CallStep>(record.kind) == kind;
}

}  // namespace

MatchTags::MatchTags(std::span<const conductor::CallRecord> records) {
    for (const conductor::CallRecord& record : records) {
        if (!is(record, conductor::CallStep::kReceive)) continue;
        if (std::ranges::find(x_masks, record.ignore) == x_masks.end())
            x_masks.push_back(record.ignore);
        x_patterns.try_emplace({record.tag & ~record.ignore, record.ignore},
                               static_cast<std::uint32_t>(x_patterns.size()));
    }
    x_tag_of_pattern.assign(x_patterns.size(), kNoTag);
    std::map<std::vector<std::uint32_t>, std::uint32_t> tags;
    for (const conductor::CallRecord& record : records) {
        if (!is(record, conductor::CallStep::kSend) || x_of_bits.contains(record.tag)) continue;
        const std::vector<std::uint32_t> patterns = accepted_by(record.tag);
        const auto [place, is_new] =
            tags.try_emplace(patterns, static_cast<std::uint32_t>(tags.size()));
        x_of_bits.emplace(record.tag, place->second);
        if (is_new) note_tag(patterns, place->second);
    }
    x_unused = static_cast<std::uint32_t>(tags.size());
}

std::vector<std::uint32_t> MatchTags::accepted_by(std::uint64_t bits) const {
    std::vector<std::uint32_t> patterns;
    for (const std::uint64_t mask : x_masks) {
        const auto place = x_patterns.find({bits & ~mask, mask});
        if (place != x_patterns.end()) patterns.push_back(place->second);
    }
    return patterns;
}

void MatchTags::note_tag(const std::vector<std::uint32_t>& patterns, std::uint32_t tag) {
    for (const std::uint32_t pattern : patterns) {
        std::uint32_t& known = x_tag_of_pattern[pattern];
        known = known == kNoTag ? tag : kSeveralTags;
    }
}

std::optional<std::uint32_t> MatchTags::of_receive(std::uint64_t bits, std::uint64_t ignore) const {
    const std::uint32_t tag = x_tag_of_pattern[x_patterns.at({bits & ~ignore, ignore})];
    if (tag == kSeveralTags) return std::nullopt;
    return tag == kNoTag ? x_unused : tag;
}

}  // namespace kumi::schedule
