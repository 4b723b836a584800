#include "mpi/wake/planner.hpp"

#include <algorithm>
#include <limits>

namespace kumi::mpi::wake {
namespace {

constexpr Duration kUndecided{std::numeric_limits<std::int64_t>::min() / 2};
/// Of the lead: what a wake is early, for small differences in the way of data and wake frame.
constexpr std::int64_t kReserveShare = 64;
/// Of the lead: what links stay on beyond the latest time at which data was ever seen, for data
/// that queue at an interface. What was woken in vain is forgotten after that, if nothing comes
/// before.
constexpr std::int64_t kHoldShare = 2;
/// Data may also be earlier than ever before: when ranks that they depend on no longer wait for
/// links, each of a chain by a little more than the one before it. Wakes are earlier, too, by
/// kCaution times the spread of the last times, but by at most kMostCautionLeads.
constexpr std::int64_t kCaution = 2;
constexpr std::int64_t kMostCautionLeads = 4;

/// Of the lead: by which a frame that was asked for must be too late to be asked for again.
constexpr std::int64_t kSoonerShare = 8;

/// A doorbell that is rung serves what would ring it within kLeadsTogether,
constexpr std::int64_t kLeadsTogether = 2;
/// and messages that follow each other too closely for sleep, within kLeadsAtMost.
constexpr std::int64_t kLeadsAtMost = 32;
/// Where it is not known what comes next, the paths to the kMostRecent last targets stay awake
/// for kLeadsAwake, unless kManyMessages have crossed them: what did not repeat itself yet mostly
/// goes where something has gone.
constexpr std::ptrdiff_t kMostRecent = 8;
constexpr std::int64_t kLeadsAwake = 8;
constexpr std::uint32_t kManyMessages = 8;

/// How much earlier than at the least time seen data are expected.
Duration caution(Duration spread, bool is_known, Duration lead) {
    const Duration learned = std::min(kCaution * spread, kMostCautionLeads * lead);
    return is_known ? learned : std::max(learned, lead);
}

}  // namespace

void Planner::pass(EventId id, Duration since, std::span<const Departure> departures) {
    x_awake_for -= since;
    x_was_wrong = id != x_expected;
    if (!x_was_wrong && !x_decided.empty())
        x_decided.pop_front();
    else
        x_decided.clear();
    for (Decided& decided : x_decided)
        for (Asked& asked : decided.asked) {
            asked.leaves -= since;
            asked.until -= since;
        }
    for (const Departure& departure : departures) {
        std::erase(x_recent, departure.target);
        x_recent.push_back(departure.target);
    }
    if (x_recent.size() > kMostRecent)
        x_recent.erase(x_recent.begin(), x_recent.end() - kMostRecent);
}

void Planner::keep_awake(Plan& plan) {
    if (x_recent.empty()) return;
    const Duration awake_for = x_lead(x_recent.back()) * kLeadsAwake;
    // Not again while most of the last time is still to come.
    if (x_awake_for > Duration{awake_for.ps / 2}) return;
    x_awake_for = awake_for;
    for (const std::uint32_t target : x_recent)
        plan.wakes.push_back(
            {.target = target, .delay = Duration{}, .hold = awake_for, .messages = kManyMessages});
}

Plan Planner::plan(CallPattern& pattern, Duration ahead) {
    Plan plan;
    x_expected = 0;
    x_list.clear();
    look_ahead(pattern, ahead, /*is_rung=*/false, plan);
    if (!x_list.is_empty()) look_ahead(pattern, ahead, /*is_rung=*/true, plan);
    plan.wakes = x_list.requests();
    if (x_expected == 0 || x_was_wrong) keep_awake(plan);
    return plan;
}

void Planner::look_ahead(CallPattern& pattern, Duration ahead, bool is_rung, Plan& plan) {
    History& history = pattern.history();
    const std::size_t length = history.length();
    Future future{.least = {}, .spread = {}, .next_event = {}, .awake_until = kUndecided};
    for (std::size_t number = 0; number < History::kMostTried; ++number) {
        if (number > 0 && !looks_further(future, is_rung)) break;
        const Step* step = pattern.after(history);
        if (step == nullptr) break;
        if (number >= x_decided.size()) x_decided.emplace_back();
        future.can_wait = number > 0;
        plan_step(*step, future, x_decided[number], ahead, is_rung, plan);
        if (number == 0) {
            x_expected = step->next;
            future.next_event = step->duration.least() - x_ahead(step->next);
        }
        future.least += step->duration.least();
        future.spread += step->duration.spread();
        future.is_known = future.is_known && step->duration.is_known();
        history.add(step->next);
    }
    history.shorten_to(length);
}

bool Planner::looks_further(const Future& future, bool is_rung) const {
    const Duration together = is_rung ? kLeadsTogether * x_longest_lead : Duration{};
    if (future.least - future.next_event <= x_longest_lead + together) return true;
    return is_rung && future.least - future.awake_until < x_shortest_sleep &&
           future.least < kLeadsAtMost * x_longest_lead;
}

bool Planner::is_served(const Asked& asked, Duration leaves, Duration needed, Duration ahead) {
    if (leaves > asked.until) return false;
    // Data that turn out to come sooner need another frame, while the first has not left yet.
    const Duration could_leave = std::max(leaves - needed, Duration{} - ahead);
    return asked.leaves - could_leave < Duration{needed.ps / kSoonerShare};
}

void Planner::plan_step(const Step& step, Future& future, Decided& decided, Duration ahead,
                        bool is_rung, Plan& plan) {
    decided.asked.resize(step.messages.size(), {.leaves = {}, .until = kUndecided});
    for (std::size_t i = 0; i < step.messages.size(); ++i) {
        const Step::Messages& messages = step.messages[i];
        const Duration lead = x_lead(messages.target);
        const Duration needed = lead + Duration{lead.ps / kReserveShare};
        x_longest_lead = std::max(x_longest_lead, needed);
        const Duration spread = future.spread + messages.first.spread();
        const Duration early = caution(spread, future.is_known && messages.first.is_known(), lead);
        const Duration leaves = future.least + messages.first.least();
        const Duration due = leaves - needed - early;
        const Duration waits = due - future.next_event;
        const bool must = !future.can_wait || waits < Duration{};
        const bool goes_along = is_rung && (waits < kLeadsTogether * x_longest_lead ||
                                            leaves - future.awake_until < x_shortest_sleep);
        if (!must && !goes_along) continue;
        future.awake_until = std::max(future.awake_until, leaves + messages.length);
        if (!plan.has_earliest || due < plan.earliest) plan.earliest = due;
        plan.has_earliest = true;
        Asked& asked = decided.asked[i];
        if (is_served(asked, leaves, needed, ahead)) continue;
        // What may come at any time is not worth more than to keep recent targets awake.
        const Duration late = std::min(spread, kLeadsAwake * lead) + Duration{lead.ps / kHoldShare};
        asked = {.leaves = std::max(due, Duration{} - ahead),
                 .until = std::max(leaves, needed - ahead) + late};
        // By the time the frame has left, the data would have to wait as long as without it.
        const Duration last = leaves - needed + ahead;
        if (last + lead <= Duration{}) continue;
        x_list.add({.target = messages.target,
                    .count = messages.count,
                    .requests = messages.requests,
                    .early = due + ahead,
                    .last = last,
                    .late = late,
                    .length = messages.length});
    }
}

}  // namespace kumi::mpi::wake
