#include "mpi/wake/planner.hpp"

#include <algorithm>

namespace kumi::mpi::wake {
namespace {

/// No plan reaches further than that: where leads are long and events dense.
constexpr std::size_t kMostSteps = 256;
/// More messages to one target than that are not timed one by one: links stay on between them.
constexpr std::uint32_t kMostFrames = 64;
/// Of the lead: what a wake is early, for small differences in the way of data and wake frame.
constexpr std::int64_t kReserveShare = 64;
/// Of the lead: what links stay on beyond the latest time at which data was ever seen, for data
/// that queue at an interface. What was woken in vain is forgotten after that, if nothing comes
/// before.
constexpr std::int64_t kHoldShare = 2;

}  // namespace

void Planner::pass(EventId id) {
    if (id == x_expected && !x_decided.empty())
        x_decided.pop_front();
    else
        x_decided.clear();
}

Plan Planner::plan(const CallPattern& pattern, Duration ahead) {
    Plan plan;
    x_expected = 0;
    History history = pattern.history();
    Future future;
    for (std::size_t number = 0; number < kMostSteps; ++number) {
        if (number > 0 && future.least - future.next_event > x_longest_lead) break;
        const Step* step = pattern.after(history);
        if (step == nullptr) break;
        if (number >= x_decided.size()) x_decided.emplace_back();
        future.can_wait = number > 0;
        plan_step(*step, future, x_decided[number], ahead, plan);
        if (number == 0) {
            x_expected = step->next;
            future.next_event = step->duration.least() - x_ahead(step->next);
        }
        future.least += step->duration.least();
        future.spread += step->duration.most() - step->duration.least();
        history.add(step->next);
    }
    return plan;
}

void Planner::plan_step(const Step& step, const Future& future, Decided& decided, Duration ahead,
                        Plan& plan) {
    decided.messages.resize(step.messages.size());
    for (std::size_t i = 0; i < step.messages.size(); ++i) {
        const Step::Messages& messages = step.messages[i];
        const Duration lead = x_lead(messages.target);
        const Duration needed = lead + Duration{lead.ps / kReserveShare};
        x_longest_lead = std::max(x_longest_lead, needed);
        const Duration leaves = future.least + messages.first.least();
        if (future.can_wait && leaves - future.next_event >= needed) continue;
        const Duration due = leaves - needed;
        if (!plan.has_earliest || due < plan.earliest) plan.earliest = due;
        plan.has_earliest = true;
        if (decided.messages[i]) continue;
        decided.messages[i] = true;
        // By the time the frame has left, the data would have to wait as long as without it.
        if (due + ahead + lead <= Duration{}) continue;
        const Duration unsure = messages.first.most() - messages.first.least();
        wake_for(messages, lead, due + ahead,
                 future.spread + unsure + Duration{lead.ps / kHoldShare}, plan);
    }
}

void Planner::wake_for(const Step::Messages& messages, Duration lead, Duration delay, Duration hold,
                       Plan& plan) {
    const auto gaps = static_cast<std::int64_t>(messages.count) - 1;
    // Links do not sleep well between messages that follow each other closely.
    const bool is_dense = gaps == 0 || messages.length.ps / gaps < lead.ps;
    if (is_dense || messages.count > kMostFrames) {
        plan.wakes.push_back({.target = messages.target,
                              .messages = messages.count,
                              .delay = std::max(Duration{}, delay),
                              .hold = hold + messages.length});
        return;
    }
    for (std::int64_t i = 0; i <= gaps; ++i)
        plan.wakes.push_back(
            {.target = messages.target,
             .messages = 1,
             .delay = std::max(Duration{}, delay + scaled(messages.length, i, gaps)),
             .hold = hold});
}

}  // namespace kumi::mpi::wake
