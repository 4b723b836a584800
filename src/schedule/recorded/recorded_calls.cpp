#include "schedule/recorded/recorded_calls.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "conductor/records/records.hpp"
#include "conductor/segment/state.hpp"
#include "endpoint/service/hint_key.hpp"
#include "matching/envelope.hpp"
#include "schedule/schedule_builder.hpp"

namespace kumi::schedule {
namespace {

using conductor::CallRecord;
using conductor::CallStep;

CallStep kind_of(const CallRecord& step) { return static_cast<CallStep>(step.kind); }

/// Tags of 32 bits in place of match bits of 64: match bits that the same receives of the run
/// accept, whatever their sources, have the same tag. Tags are numbered in the order of ranks and
/// their records, from 0: in which order ranks came to record depends on how far they ran ahead.
class MatchTags {
   public:
    /// `order`: indices of the records, by rank.
    MatchTags(std::span<const CallRecord> records,
              const std::vector<std::vector<std::uint32_t>>& order) {
        for (const CallRecord& record : records) {
            if (kind_of(record) != CallStep::kReceive) continue;
            if (std::ranges::find(x_masks, record.ignore) == x_masks.end())
                x_masks.push_back(record.ignore);
            x_patterns.try_emplace({record.tag & ~record.ignore, record.ignore},
                                   static_cast<std::uint32_t>(x_patterns.size()));
        }
        x_tag_of_pattern.assign(x_patterns.size(), kNoTag);
        std::map<std::vector<std::uint32_t>, std::uint32_t> tags;
        for (const std::uint32_t index : std::views::join(order)) {
            const CallRecord& record = records[index];
            if (kind_of(record) != CallStep::kSend || x_of_bits.contains(record.tag)) continue;
            const std::vector<std::uint32_t> patterns = accepted_by(record.tag);
            const auto [place, is_new] =
                tags.try_emplace(patterns, static_cast<std::uint32_t>(tags.size()));
            x_of_bits.emplace(record.tag, place->second);
            if (is_new) note_tag(patterns, place->second);
        }
        x_unused = static_cast<std::uint32_t>(tags.size());
    }

    /// The tag of a message; nothing if no rank has sent one with these bits.
    std::optional<std::uint32_t> of_message(std::uint64_t bits) const {
        const auto place = x_of_bits.find(bits);
        if (place == x_of_bits.end()) return std::nullopt;
        return place->second;
    }
    /// The tag of a receive; nothing if it accepts messages of several tags.
    std::optional<std::uint32_t> of_receive(std::uint64_t bits, std::uint64_t ignore) const {
        const std::uint32_t tag = x_tag_of_pattern[x_patterns.at({bits & ~ignore, ignore})];
        if (tag == kSeveralTags) return std::nullopt;
        return tag == kNoTag ? x_unused : tag;
    }

   private:
    static constexpr std::uint32_t kNoTag = 0xFFFFFFFF;
    static constexpr std::uint32_t kSeveralTags = 0xFFFFFFFE;
    using Pattern = std::pair<std::uint64_t, std::uint64_t>;  ///< What is compared, and the rest.

    /// Which receives accept the bits, by the numbers of their patterns.
    std::vector<std::uint32_t> accepted_by(std::uint64_t bits) const {
        std::vector<std::uint32_t> patterns;
        for (const std::uint64_t mask : x_masks) {
            const auto place = x_patterns.find({bits & ~mask, mask});
            if (place != x_patterns.end()) patterns.push_back(place->second);
        }
        return patterns;
    }

    void note_tag(const std::vector<std::uint32_t>& patterns, std::uint32_t tag) {
        for (const std::uint32_t pattern : patterns) {
            std::uint32_t& known = x_tag_of_pattern[pattern];
            known = known == kNoTag ? tag : kSeveralTags;
        }
    }

    std::vector<std::uint64_t> x_masks;  ///< That receives ignore, each once.
    std::map<Pattern, std::uint32_t> x_patterns;
    /// Of each pattern: its only tag, kNoTag or kSeveralTags.
    std::vector<std::uint32_t> x_tag_of_pattern;
    std::unordered_map<std::uint64_t, std::uint32_t> x_of_bits;
    std::uint32_t x_unused = 0;  ///< The tag of receives that accept no message of the run.
};

[[noreturn]] void fail(std::uint32_t rank, const std::string& what) {
    throw ScheduleError("the record of rank " + std::to_string(rank) + " is damaged: " + what);
}

/// A send or a receive of the rank.
struct Posted {
    std::uint32_t operation = 0;
    std::uint32_t call = 0;
    bool is_awaitable = true;
    bool is_awaited = false;     ///< An operation waits for its end.
    bool is_of_program = false;  ///< No step of a collective operation.
};

/// Writes the operations of one rank.
class RankWriter {
   public:
    RankWriter(ScheduleBuilder& builder, const MatchTags& tags)
        : x_builder(builder), x_tags(tags) {}

    /// `matched`: of a receive, the record by which its MPI library has read its completion.
    void write(const CallRecord& step, const CallRecord* matched) {
        if (x_has_ended) fail(step.rank, "it goes on after its end");
        const bool is_between = static_cast<CallClass>(step.call_class) == CallClass::kLocal;
        if (step.call != x_call || is_between) end_call();
        if (!x_is_in_call && !is_between) begin_call(step);
        switch (kind_of(step)) {
            case CallStep::kSend:
            case CallStep::kReceive:
                return post(step, matched);
            case CallStep::kSeen:
                check_request(step);
                x_read.push_back(step.request);
                return x_read_since.push_back(step.request);
            case CallStep::kNeeds:
                advance(step);
                return x_needed_calls.push_back(step.request);
            case CallStep::kNeedsSeen:
                advance(step);
                x_needs_all_read = true;
                return;
            case CallStep::kStartsMessage:
                x_starts_message = true;
                [[fallthrough]];
            case CallStep::kStarts:
                x_starts = true;
                return;
            case CallStep::kHint:
                advance(step);
                append(Operation::hint(
                    endpoint::service::Hint::unpacked(static_cast<std::uint32_t>(step.tag))));
                return;
            case CallStep::kGuess:
                return x_builder.count_recorded_order({.polls = 1});
            case CallStep::kEnd:
                advance(step);
                x_has_ended = true;
                return;
        }
        fail(step.rank, "there is no such step");
    }

    bool has_ended() const { return x_has_ended; }

   private:
    void check_request(const CallRecord& step) const {
        if (step.request == 0 || step.request > x_posted.size())
            fail(step.rank, "there is no such request");
    }

    void begin_call(const CallRecord& step) {
        x_is_in_call = true;
        x_call = step.call;
        x_starts = static_cast<CallClass>(step.call_class) == CallClass::kBackground;
        x_starts_message = false;
        x_first_of_call = x_posted.size();
    }

    /// What comes next waits for all that the call waited for.
    void end_call() {
        if (!x_is_in_call) return;
        x_is_in_call = false;
        for (const std::uint32_t call : x_needed_calls) {
            const auto of_call = std::ranges::equal_range(x_posted, call, {}, &Posted::call);
            for (Posted& needed : of_call) await(needed);
        }
        if (x_needs_all_read) {
            for (const std::uint32_t request : x_read) await(x_posted[request - 1]);
            x_read.clear();
        }
        if (!x_starts) {
            for (std::size_t i = x_first_of_call; i < x_posted.size(); ++i) await(x_posted[i]);
        }
        x_needed_calls.clear();
        x_read_since.clear();
        x_needs_all_read = false;
    }

    /// What comes next in the same call waits for what its MPI library has read to be complete:
    /// for requests of the call itself, or else for those by which an earlier call has started a
    /// collective operation. Messages that the program itself has started may be read in any call.
    void await_read() {
        const auto is_own = [this](std::uint32_t request) { return request > x_first_of_call; };
        const bool has_own = std::ranges::any_of(x_read_since, is_own);
        for (const std::uint32_t request : x_read_since) {
            Posted& read = x_posted[request - 1];
            if (is_own(request) || (!has_own && !read.is_of_program)) await(read);
        }
        x_read_since.clear();
    }

    void await(Posted& needed) {
        if (needed.is_awaited || !needed.is_awaitable) return;
        needed.is_awaited = true;
        x_awaited.push_back(needed.operation);
    }

    void post(const CallRecord& step, const CallRecord* matched) {
        if (step.request != x_posted.size() + 1) fail(step.rank, "a request has a wrong number");
        await_read();
        advance(step);
        const bool is_send = kind_of(step) == CallStep::kSend;
        const std::uint32_t added = append(
            is_send ? Operation::send(step.size_bytes, step.peer, *x_tags.of_message(step.tag))
                    : receive_of(step, matched));
        x_posted.push_back({.operation = added,
                            .call = step.call,
                            .is_awaitable = step.wants_completion != 0,
                            .is_of_program = x_starts_message});
    }

    Operation receive_of(const CallRecord& step, const CallRecord* matched) const {
        const std::optional<std::uint32_t> tag = x_tags.of_receive(step.tag, step.ignore);
        const bool is_from_any = step.peer == matching::kAnySource;
        if (is_from_any || !tag) x_builder.count_recorded_order({.wildcards = 1});
        const std::optional<std::uint32_t> matched_tag =
            matched == nullptr ? std::nullopt : x_tags.of_message(matched->tag);
        return Operation::receive(step.size_bytes, is_from_any ? kAnyPeer : step.peer,
                                  tag.value_or(matched_tag.value_or(kAnyTag)));
    }

    /// What the program did since the last step.
    void advance(const CallRecord& step) {
        append_time(step.rank, step.compute_ps - x_compute_ps, 0);
        append_time(step.rank, step.slept_ps - x_slept_ps, traits::kSleep);
        append_time(step.rank, step.in_calls_ps - x_in_calls_ps, traits::kSoftware);
        x_compute_ps = step.compute_ps;
        x_slept_ps = step.slept_ps;
        x_in_calls_ps = step.in_calls_ps;
    }

    void append_time(std::uint32_t rank, std::int64_t span_ps, std::uint8_t traits) {
        if (span_ps < 0) fail(rank, "its clock goes backwards");
        if (span_ps == 0) return;
        Operation operation = Operation::compute({span_ps});
        operation.traits = traits;
        append(operation);
    }

    std::uint32_t append(const Operation& operation) {
        const std::uint32_t added = x_builder.add(operation);
        const bool waits_for_last = std::ranges::find(x_awaited, x_last) != x_awaited.end();
        if (x_has_last && !waits_for_last) {
            // A message under way does not keep the program from going on.
            x_builder.depend(added, x_last, x_last_is_message);
        }
        for (const std::uint32_t before : x_awaited) x_builder.require(added, before);
        x_awaited.clear();
        x_last = added;
        x_last_is_message = operation.is_message();
        x_has_last = true;
        return added;
    }

    ScheduleBuilder& x_builder;
    const MatchTags& x_tags;
    std::vector<Posted> x_posted;          ///< By request, from 1.
    std::vector<std::uint32_t> x_awaited;  ///< Operations for which the next one waits.
    std::vector<std::uint32_t> x_needed_calls;
    std::vector<std::uint32_t> x_read;        ///< Requests, since all of them were waited for.
    std::vector<std::uint32_t> x_read_since;  ///< Requests, since the last one in this call.
    std::size_t x_first_of_call = 0;          ///< Of the requests of the present call.
    std::uint32_t x_call = 0;
    std::uint32_t x_last = 0xFFFFFFFF;
    bool x_is_in_call = false;
    bool x_starts = false;  ///< The present call does not wait for what it starts.
    bool x_starts_message = false;
    bool x_needs_all_read = false;
    bool x_has_last = false, x_last_is_message = false, x_has_ended = false;
    std::int64_t x_compute_ps = 0, x_slept_ps = 0, x_in_calls_ps = 0;
};

}  // namespace

Schedule schedule_of_calls(std::uint32_t ranks, std::span<const CallRecord> records) {
    ScheduleBuilder builder(ranks);
    std::vector<std::vector<std::uint32_t>> of_rank(ranks);
    std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> read(ranks);
    for (std::uint32_t index = 0; index < records.size(); ++index) {
        const CallRecord& record = records[index];
        if (record.rank >= ranks) fail(record.rank, "there is no such rank");
        of_rank[record.rank].push_back(index);
        if (kind_of(record) == CallStep::kSeen) read[record.rank].emplace(record.request, index);
    }
    const MatchTags tags(records, of_rank);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        builder.begin_rank(rank);
        RankWriter writer(builder, tags);
        for (const std::uint32_t index : of_rank[rank]) {
            const CallRecord& record = records[index];
            const auto place = read[rank].find(record.request);
            const bool is_received =
                kind_of(record) == CallStep::kReceive && place != read[rank].end();
            writer.write(record, is_received ? &records[place->second] : nullptr);
        }
        if (!writer.has_ended())
            throw ScheduleError("the record of rank " + std::to_string(rank) + " has no end");
    }
    return builder.finish();
}

}  // namespace kumi::schedule
