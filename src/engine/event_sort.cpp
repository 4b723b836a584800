#include "engine/event_sort.hpp"

#include <algorithm>
#include <utility>

namespace kumi::engine {
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

/// Fewer are sorted as fast by comparing.
constexpr std::uint32_t kFewestByDigits = 128;

bool are_of_one_time_and_class(const Event* events, std::uint32_t count) {
    return std::all_of(events, events + count, [&](const Event& event) {
        return event.key.time == events[0].key.time &&
               event.key.event_class() == events[0].key.event_class();
    });
}

/// Sorts words by one byte, keeping the order of those that have the same.
void sort_by_byte(const std::uint64_t* from, std::uint64_t* to, std::uint32_t count,
                  std::uint32_t shift) {
    std::uint32_t places[256] = {};
    const auto byte_of = [shift](std::uint64_t word) {
        return static_cast<std::uint8_t>(word >> shift);
    };
    for (std::uint32_t i = 0; i < count; ++i) ++places[byte_of(from[i])];
    std::uint32_t next = 0;
    for (std::uint32_t& place : places) next += std::exchange(place, next);
    for (std::uint32_t i = 0; i < count; ++i) to[places[byte_of(from[i])]++] = from[i];
}

/// Sorts events of one time and class, those of a large regular program, into `to`: by words of
/// their source and place, which are a quarter as large.
void sort_by_source(const Event* events, std::uint32_t count, Event* to, std::uint64_t* words) {
    std::uint64_t* other = words + count;
    std::uint64_t differing = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        words[i] = std::uint64_t{events[i].key.source_id()} << 32 | i;
        differing |= words[i] ^ words[0];
    }
    for (std::uint32_t shift = 32; shift < 64; shift += 8) {
        if ((differing >> shift & 0xFF) == 0) continue;
        sort_by_byte(words, other, count, shift);
        std::swap(words, other);
    }
    for (std::uint32_t i = 0; i < count; ++i) to[i] = events[static_cast<std::uint32_t>(words[i])];
    // Few sources have several events at one time.
    for (std::uint32_t begin = 0, end = 0; begin < count; begin = end) {
        bool is_sorted = true;
        for (end = begin + 1;
             end < count && to[end].key.class_and_source == to[begin].key.class_and_source; ++end) {
            is_sorted &= kComesBefore(to[end - 1], to[end]);
        }
        if (!is_sorted) std::sort(to + begin, to + end, kComesBefore);
    }
}

}  // namespace

Event* sort_events(Event* events, std::uint32_t count, Event* scratch, std::uint64_t* words) {
    Runs runs;
    if (!find_runs(events, count, runs)) {
        if (count >= kFewestByDigits && are_of_one_time_and_class(events, count)) {
            sort_by_source(events, count, scratch, words);
            return scratch;
        }
        std::sort(events, events + count, kComesBefore);
        return events;
    }
    while (runs.count > 1) {
        merge_pairs(events, scratch, runs);
        std::swap(events, scratch);
    }
    return events;
}

}  // namespace kumi::engine
