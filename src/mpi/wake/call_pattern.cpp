#include "mpi/wake/call_pattern.hpp"

#include <algorithm>

namespace kumi::mpi::wake {
namespace {

constexpr int kMostConfidence = 3;

void begin_anew(Step& step, EventId next, std::span<const Departure> departures) {
    step = Step{};
    step.next = next;
    for (const Departure& departure : departures)
        step.messages.push_back(
            {.target = departure.target, .count = 0, .first = {}, .length = {}});
}

void add(Step& step, Duration since, std::span<const Departure> departures) {
    step.duration.add(since);
    for (std::size_t i = 0; i < departures.size(); ++i) {
        step.messages[i].count = departures[i].messages;
        step.messages[i].first.add(departures[i].first);
        step.messages[i].length = departures[i].last - departures[i].first;
    }
}

}  // namespace

Duration RecentSpans::least() const {
    return *std::min_element(x_spans.begin(), x_spans.begin() + x_count);
}

Duration RecentSpans::most() const {
    return *std::max_element(x_spans.begin(), x_spans.begin() + x_count);
}

std::array<std::uint64_t, History::kOrders.size()> History::contexts() const {
    std::array<std::uint64_t, kOrders.size()> found{};
    std::uint64_t mixed = 0;
    std::size_t order = 0;
    for (std::size_t length = 1; length <= kLength; ++length) {
        mixed = joined(mixed, x_ids[(x_next + kLength - length) % kLength]);
        if (length == kOrders[order]) found[order++] = joined(mixed, length);
    }
    return found;
}

void CallPattern::record(EventId id, Duration since, std::span<const Departure> departures) {
    if (x_steps.size() > kMostSteps) x_steps.clear();
    for (const std::uint64_t context : x_history.contexts()) {
        Step& step = x_steps[context];
        const bool fits = step.next == id && step.messages.size() == departures.size();
        if (!fits && --step.confidence >= 0) continue;
        if (!fits) begin_anew(step, id, departures);
        step.confidence = std::min(step.confidence + 1, kMostConfidence);
        add(step, since, departures);
    }
    x_history.add(id);
}

const Step* CallPattern::after(const History& history) const {
    const auto contexts = history.contexts();
    for (std::size_t order = contexts.size(); order-- > 0;) {
        const auto found = x_steps.find(contexts[order]);
        if (found != x_steps.end() && found->second.confidence > 0) return &found->second;
    }
    return nullptr;
}

}  // namespace kumi::mpi::wake
