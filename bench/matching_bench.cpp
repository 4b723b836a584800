// Real nanoseconds of one receive in the queue of src/matching, next to a linked list, and to the
// queue of UCX if it was compiled in: an entry that waits among `depth` others is matched, and
// inserted again as the youngest. They take turns. Each line of the output has side, names,
// position, state, depth, and the nanoseconds of each. Every match is checked; the times are
// reported, never tested.
//
// States: fresh (the entries were inserted in order just before), aged (entries were taken and
// inserted in random order before; a mean over four matches of each), cold (a buffer larger than
// the caches was walked just before).

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <span>
#include <vector>

#include "base/random/random_stream.hpp"
#include "base/testing/arena_for_tests.hpp"
#include "matching/queue.hpp"
#include "matching_list.hpp"
#include "matching_ucx.hpp"

namespace kumi::bench {
namespace {

using matching::Envelope;
using matching::kAnySource;
using matching::Pattern;
using matching::PostedEntry;
using matching::UnexpectedEntry;

constexpr std::array kNames{"exact", "any_source", "any_tag"};
constexpr std::array kPositions{"oldest", "newest", "random"};
enum Names : std::uint8_t { kExact, kFromAny, kAnyTag };
enum Position : std::uint8_t { kOldest, kNewest, kRandom };
enum Who : std::uint8_t { kOurs, kList, kUcx };

/// How much is measured.
struct Effort {
    std::vector<std::uint32_t> depths;
    std::uint32_t repeats;
    std::size_t flush_bytes;
};

using Keys = std::vector<std::uint32_t>;

/// A receive for the message of that key, and for no other.
Pattern pattern_of(Names names, std::uint32_t key) {
    if (names == kAnyTag) return {key, 0, ~std::uint64_t{0}};
    return {names == kFromAny ? kAnySource : 0, key, 0};
}
Envelope envelope_of(Names names, std::uint32_t key) {
    return names == kAnyTag ? Envelope{key, 7} : Envelope{0, key};
}
template <class Entry>
Entry entry_of(Names names, std::uint32_t key) {
    if constexpr (Entry::kHasFamily)
        return Entry::of(pattern_of(names, key), key);
    else
        return Entry::of(envelope_of(names, key), key);
}
template <class Entry>
typename Entry::Probe probe_of(Names names, std::uint32_t key) {
    if constexpr (Entry::kHasFamily)
        return envelope_of(names, key);
    else
        return pattern_of(names, key);
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double now_ns(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}
/// Nanoseconds of `work`, the clock's included.
template <class Work>
double timed(clockid_t clock, Work&& work) {
    const double begin_ns = now_ns(clock);
    work();
    asm volatile("" ::: "memory");
    return now_ns(clock) - begin_ns;
}

/// A queue, a list and UCX's queue with the same entries.
template <class Entry>
class Rivals {
   public:
    Rivals(Names names, Position position, std::uint32_t depth, const Effort& effort)
        : x_names(names),
          x_position(position),
          x_keys(depth + 1),
          x_effort(effort),
          x_list(x_keys),
          x_flushed(effort.flush_bytes) {
        for (std::uint32_t key = 0; key < x_keys; ++key) {
            x_entries.push_back(entry_of<Entry>(names, key));
            x_probes.push_back(probe_of<Entry>(names, key));
        }
    }
    ~Rivals() { x_queue.clear(*x_arena); }
    Rivals(const Rivals&) = delete;
    Rivals& operator=(const Rivals&) = delete;

    void measure_fresh() {
        const std::uint32_t matches = std::clamp(x_keys, 16U, 256U);
        for (std::uint32_t i = 0; i < 5 * x_effort.repeats; ++i) {
            fill();
            // The first search of unexpected messages makes an index of them all.
            const auto before = x_ns;
            measure(next_keys(1));
            x_ns = before;
            measure(next_keys(matches));
        }
        print("fresh");
    }
    /// Leaves an aged queue for `measure_cold`.
    void measure_aged() {
        fill();
        age();
        const std::uint32_t matches = std::max(1024U, 4 * x_keys);
        measure(next_keys(matches));  // The caches become warm, and the processor's predictions.
        for (std::vector<double>& column : x_ns) column.clear();
        for (std::uint32_t i = 0; i < x_effort.repeats; ++i) measure(next_keys(matches));
        print("aged");
    }
    void measure_cold() {
        for (std::uint32_t i = 0; i < x_effort.repeats; ++i) measure(next_keys(1), true);
        print("cold");
    }

   private:
    void fill() {
        x_queue.clear(*x_arena);
        x_list.clear();
        for (std::uint32_t key = 0; key < x_keys; ++key) insert(key);
        x_ucx_is_behind = true;
    }
    void insert(std::uint32_t key) {
        x_queue.append(*x_arena, x_entries[key]);
        x_list.append(x_entries[key]);
    }
    void age() {
        const std::uint32_t at_once = std::min(16U, x_keys);
        for (std::uint32_t done = 0; done < std::max(1000U, 4 * x_keys); done += at_once) {
            Keys taken;
            while (taken.size() < at_once) {
                const auto key = static_cast<std::uint32_t>(x_random.below(x_keys));
                if (std::find(taken.begin(), taken.end(), key) == taken.end()) taken.push_back(key);
            }
            for (const std::uint32_t key : taken) {
                take_from_queue(key);
                x_list.take_key(key);
            }
            std::sort(taken.begin(), taken.end());
            for (const std::uint32_t key : taken) insert(key);
        }
        x_ucx_is_behind = true;
    }

    MatchingUcx make_ucx() const {
        std::vector<UcxTag> entries;
        std::vector<UcxTag> probes;
        for (std::uint32_t key = 0; key < x_keys; ++key) {
            const UcxTag message = MatchingUcx::tag_of(envelope_of(x_names, key));
            const UcxTag receive = MatchingUcx::tag_of(pattern_of(x_names, key));
            entries.push_back(Entry::kHasFamily ? receive : message);
            probes.push_back(Entry::kHasFamily ? message : receive);
        }
        return {Entry::kHasFamily, entries, probes};
    }

    /// What is matched next. The oldest entry comes to the end when it is inserted again.
    Keys next_keys(std::uint32_t matches) {
        const Keys order = x_list.order();
        Keys keys(matches);
        for (std::uint32_t i = 0; i < matches; ++i) {
            const auto random = static_cast<std::uint32_t>(x_random.below(x_keys));
            keys[i] = x_position == kOldest   ? order[i % x_keys]
                      : x_position == kNewest ? order.back()
                                              : random;
        }
        return keys;
    }
    void take_from_queue(std::uint32_t key) {
        const auto search = x_queue.take(*x_arena, x_probes[key], matching::Counting::kNo);
        x_is_wrong |= !search.found || search.id != key;
    }
    /// One batch of each. What walks far gets a shorter one. The list then makes up for what is
    /// missing without a walk, and UCX's queue is filled again, so that all hold the same again.
    void measure(const Keys& keys, bool is_cold = false) {
        const std::size_t walks = x_position == kOldest ? 4096 : 1 + (1U << 18) / x_keys;
        const auto walked = std::span(keys).first(std::min(keys.size(), walks));
        // CPU time leaves out other programs; reading it takes too long for few matches.
        const clockid_t clock = keys.size() < 1024 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
        const double clock_ns = timed(clock, [] {});
        const auto note = [&](Who who, std::size_t matches, auto&& work) {
            if (is_cold) flush();
            const double ns = timed(clock, work) - clock_ns;
            x_ns[who].push_back(ns / static_cast<double>(matches));
        };
        note(kOurs, keys.size(), [&] {
            for (const std::uint32_t key : keys) {
                take_from_queue(key);
                x_queue.append(*x_arena, x_entries[key]);
            }
        });
        if (x_ucx) {
            if (x_ucx_is_behind) x_ucx.fill(x_list.order());
            const auto turns = x_names == kExact ? std::span(keys) : walked;
            note(kUcx, turns.size(), [&] { x_is_wrong |= !x_ucx.turn(turns); });
            x_ucx_is_behind = turns.size() < keys.size();
        }
        note(kList, walked.size(), [&] {
            for (const std::uint32_t key : walked) {
                x_is_wrong |= x_list.take(x_probes[key]) != key;
                x_list.append(x_entries[key]);
            }
        });
        for (const std::uint32_t key : std::span(keys).subspan(walked.size())) {
            x_list.take_key(key);
            x_list.append(x_entries[key]);
        }
    }
    void flush() {
        for (std::size_t at = 0; at < x_flushed.size(); at += 64) ++x_flushed[at];
        asm volatile("" ::"r"(x_flushed.data()) : "memory");
    }

    void print(const char* state) {
        KUMI_ASSERT(!x_is_wrong, "a match has found another entry than it should");
        std::printf("%s %s %s %s %u", Entry::kHasFamily ? "posted" : "unexpected", kNames[x_names],
                    kPositions[x_position], state, x_keys - 1);
        for (std::vector<double>& column : x_ns) {
            if (!column.empty()) std::printf(" %.1f", median(column));
            column.clear();
        }
        std::puts("");
        std::fflush(stdout);
    }

    const Names x_names;
    const Position x_position;
    const std::uint32_t x_keys;
    const Effort& x_effort;
    // By key. UCX has them like that, too.
    std::vector<Entry> x_entries;
    std::vector<typename Entry::Probe> x_probes;
    ArenaForTests x_arena;
    matching::Queue<Entry> x_queue;
    MatchingList<Entry> x_list;
    std::vector<unsigned char> x_flushed;
    RandomStream x_random = RandomStreams(1, "bench").stream();
    MatchingUcx x_ucx = make_ucx();
    bool x_ucx_is_behind = true;  ///< Not filled as the others are.
    std::array<std::vector<double>, 3> x_ns;
    bool x_is_wrong = false;
};

template <class Entry>
void measure_side(const Effort& effort) {
    for (const Names names : {kExact, kFromAny, kAnyTag})
        for (const Position position : {kOldest, kNewest, kRandom})
            for (const std::uint32_t depth : effort.depths) {
                Rivals<Entry> rivals(names, position, depth, effort);
                rivals.measure_fresh();
                rivals.measure_aged();
                rivals.measure_cold();
            }
}

}  // namespace
}  // namespace kumi::bench

int main(int argc, char** argv) {
    const bool is_small = argc > 1 && std::strcmp(argv[1], "--small") == 0;
    if (argc > 2 || (argc > 1 && !is_small)) {
        std::fprintf(stderr, "expected nothing or --small\n");
        return 1;
    }
    const kumi::bench::Effort full{{0, 1, 16, 256, 4096, 65'536}, 9, std::size_t{64} << 20};
    const kumi::bench::Effort small{{0, 1, 16, 256}, 1, std::size_t{1} << 20};
    const kumi::bench::Effort& effort = is_small ? small : full;
    kumi::bench::measure_side<kumi::matching::PostedEntry>(effort);
    kumi::bench::measure_side<kumi::matching::UnexpectedEntry>(effort);
    return 0;
}
