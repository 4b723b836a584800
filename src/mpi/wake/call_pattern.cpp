#include "mpi/wake/call_pattern.hpp"

#include <algorithm>

namespace kumi::mpi::wake {
namespace {

constexpr int kMostConfidence = 3;
constexpr Duration kSlack{250'000};
constexpr std::int64_t kSlackShare = 8;

void begin_anew(Step& step, EventId next, std::span<const Departure> departures) {
    step = Step{};
    step.next = next;
    for (const Departure& departure : departures)
        step.messages.push_back({.target = departure.target});
}

/// Whether a time is as it always was, but for small differences.
bool is_usual(const RecentSpans& spans, Duration span) {
    const Duration slack = kSlack + Duration{span.ps / kSlackShare};
    return span <= spans.least() + slack && span >= spans.most() - slack;
}

bool happened_as_expected(const Step& step, EventId id, Duration since,
                          std::span<const Departure> departures) {
    if (step.next != id || step.messages.size() != departures.size()) return false;
    if (!is_usual(step.duration, since)) return false;
    for (std::size_t i = 0; i < departures.size(); ++i)
        if (!is_usual(step.messages[i].first, departures[i].first)) return false;
    return true;
}

void add(Step& step, Duration since, std::span<const Departure> departures) {
    step.duration.add(since);
    for (std::size_t i = 0; i < departures.size(); ++i) {
        step.messages[i].count = departures[i].messages;
        step.messages[i].requests = departures[i].requests;
        step.messages[i].first.add(departures[i].first);
        step.messages[i].length = departures[i].last - departures[i].first;
    }
}

/// Hashes are polynomials in this, modulo 2^64.
constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15ULL;

constexpr History::Contexts powers() {
    History::Contexts found{};
    std::uint64_t power = 1;
    std::size_t exponent = 0;
    for (std::size_t order = 0; order < found.size(); ++order) {
        for (; exponent < History::kOrders[order]; ++exponent) power *= kBase;
        found[order] = power;
    }
    return found;
}
constexpr History::Contexts kPowers = powers();

}  // namespace

Duration RecentSpans::least() const {
    return *std::min_element(x_spans.begin(), x_spans.begin() + x_count);
}

Duration RecentSpans::most() const {
    return *std::max_element(x_spans.begin(), x_spans.begin() + x_count);
}

void History::add(EventId id) {
    const std::uint64_t before = x_hashes[x_length % kKept];
    x_hashes[++x_length % kKept] = before * kBase + joined(id, 0);
}

History::Contexts History::contexts() const {
    Contexts found{};
    const std::uint64_t now = x_hashes[x_length % kKept];
    for (std::size_t order = 0; order < kOrders.size(); ++order) {
        // Before the first event it is as if others, all alike, had gone before.
        const bool is_whole = x_length >= kOrders[order];
        const std::uint64_t before = is_whole ? x_hashes[(x_length - kOrders[order]) % kKept] : 0;
        found[order] = joined(now - before * kPowers[order], kOrders[order]);
    }
    return found;
}

void CallPattern::record(EventId id, Duration since, std::span<const Departure> departures) {
    if (x_steps.size() > kMostSteps) x_steps.clear();
    const History::Contexts contexts = x_history.contexts();
    // Longer contexts are kept only where shorter ones were wrong, in what came or when.
    const Step* const expected = after(x_history);
    const bool was_wrong =
        (expected == nullptr || !happened_as_expected(*expected, id, since, departures)) &&
        x_steps.find(contexts[0]) != x_steps.end();
    for (std::size_t order = 0; order < contexts.size(); ++order) {
        const auto found = x_steps.find(contexts[order]);
        if (found == x_steps.end() && order > 0 && !was_wrong) continue;
        Step& step = found == x_steps.end() ? x_steps[contexts[order]] : found->second;
        const bool fits = step.next == id && step.messages.size() == departures.size();
        if (!fits && --step.confidence >= 0) continue;
        if (!fits) begin_anew(step, id, departures);
        step.confidence = std::min(step.confidence + 1, kMostConfidence);
        add(step, since, departures);
    }
    x_history.add(id);
}

const Step* CallPattern::after(const History& history) const {
    const History::Contexts contexts = history.contexts();
    for (std::size_t order = contexts.size(); order-- > 0;) {
        const auto found = x_steps.find(contexts[order]);
        if (found != x_steps.end() && found->second.confidence > 0) return &found->second;
    }
    return nullptr;
}

}  // namespace kumi::mpi::wake
