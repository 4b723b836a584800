#include "engine/event_sort.hpp"

#include <algorithm>
#include <utility>

namespace kumi {
namespace {

/// With more runs than these merging is no faster than sorting.
constexpr std::uint32_t kMostRuns = 32;

/// A type of its own, so that sorting has the comparison within its loops.
struct ComesBefore {
    bool operator()(const Event& a, const Event& b) const { return precedes(a.key, b.key); }
};
constexpr ComesBefore kComesBefore;

/// Where ascending runs begin, and the end.
struct Runs {
    std::uint32_t bounds[kMostRuns + 1] = {};
    std::uint32_t count = 0;
};

/// Returns false if there are too many.
bool find_runs(const Event* events, std::uint32_t count, Runs& runs) {
    runs.count = 1;
    for (std::uint32_t place = 1; place < count; ++place) {
        if (kComesBefore(events[place - 1], events[place])) continue;
        if (runs.count == kMostRuns) return false;
        runs.bounds[runs.count++] = place;
    }
    runs.bounds[runs.count] = count;
    return true;
}

/// Merges each two neighbouring runs from one block into the other.
void merge_pairs(const Event* from, Event* to, Runs& runs) {
    std::uint32_t merged = 0;
    for (std::uint32_t run = 0; run < runs.count; run += 2) {
        const std::uint32_t begin = runs.bounds[run];
        const std::uint32_t middle = runs.bounds[run + 1];
        const std::uint32_t end = runs.bounds[std::min(run + 2, runs.count)];
        std::merge(from + begin, from + middle, from + middle, from + end, to + begin,
                   kComesBefore);
        runs.bounds[merged++] = begin;
    }
    runs.bounds[merged] = runs.bounds[runs.count];
    runs.count = merged;
}

}  // namespace

Event* sort_events(Event* events, std::uint32_t count, Event* scratch) {
    Runs runs;
    if (!find_runs(events, count, runs)) {
        std::sort(events, events + count, kComesBefore);
        return events;
    }
    while (runs.count > 1) {
        merge_pairs(events, scratch, runs);
        std::swap(events, scratch);
    }
    return events;
}

}  // namespace kumi
