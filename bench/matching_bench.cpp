// Real nanoseconds of one receive in the queue of src/matching, next to a linked list, and to the
// queue of UCX if it was compiled in: an entry that waits among `depth` others is matched, and
// inserted again as the youngest. They alternate. Each line of the output has side, names,
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
#include <numeric>
#include <span>
#include <utility>
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

constexpr std::array kNamed{"exact", "any_source", "any_tag"};
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
template <Names kNames>
Pattern pattern_of(std::uint32_t key) {
    if (kNames == kAnyTag) return {key, 0, ~std::uint64_t{0}};
    return {kNames == kFromAny ? kAnySource : 0, key, 0};
}
template <Names kNames>
Envelope envelope_of(std::uint32_t key) {
    return kNames == kAnyTag ? Envelope{key, 7} : Envelope{0, key};
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double now_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}
/// Nanoseconds of `work`, the clock's included.
template <class Work>
double timed(Work&& work) {
    const double begin_ns = now_ns();
    work();
    asm volatile("" ::: "memory");
    return now_ns() - begin_ns;
}

/// What the clock alone takes: a median, since one look at it may take a batch's time longer.
double clock_ns() {
    std::vector<double> nothing(1001);
    for (double& ns : nothing) ns = timed([] {});
    return median(std::move(nothing));
}

/// A queue, a list and UCX's queue with the same entries.
template <class Entry, Names kNames>
class Rivals {
   public:
    Rivals(Position position, std::uint32_t depth, const Effort& effort)
        : x_position(position),
          x_keys(depth + 1),
          x_effort(effort),
          x_list(x_keys),
          x_flushed(effort.flush_bytes) {}
    ~Rivals() { x_queue.clear(*x_arena); }
    Rivals(const Rivals&) = delete;
    Rivals& operator=(const Rivals&) = delete;

    void measure_fresh() {
        const std::uint32_t matches = std::clamp(x_keys, 16U, 256U);
        for (std::uint32_t i = 0; i < 5 * x_effort.repeats; ++i) {
            // The first search of unexpected messages makes an index of them all.
            fill(kList);
            const Keys first = next_keys(1);
            turn(kList, first);
            const Keys keys = next_keys(matches);
            for (const Who who : {kOurs, kUcx, kList}) {
                if (who == kUcx && !x_ucx) continue;
                fill(who);
                turn(who, first);
                measure(who, keys);
            }
        }
        print("fresh");
    }
    /// Leaves an aged queue for `measure_cold`.
    void measure_aged() {
        fill(kOurs);
        fill(kList);
        age();
        const std::uint32_t matches = std::max(1024U, 4 * x_keys);
        // The caches become warm, and the processor's predictions.
        measure_all(next_keys(matches));
        for (std::vector<double>& column : x_ns) column.clear();
        for (std::uint32_t i = 0; i < x_effort.repeats; ++i) measure_all(next_keys(matches));
        print("aged");
    }
    void measure_cold() {
        for (std::uint32_t i = 0; i < x_effort.repeats; ++i) measure_all(next_keys(1), true);
        print("cold");
    }

   private:
    static Entry entry(std::uint32_t key) {
        if constexpr (Entry::kHasFamily)
            return Entry::of(pattern_of<kNames>(key), key);
        else
            return Entry::of(envelope_of<kNames>(key), key);
    }
    static typename Entry::Probe probe(std::uint32_t key) {
        if constexpr (Entry::kHasFamily)
            return envelope_of<kNames>(key);
        else
            return pattern_of<kNames>(key);
    }

    /// Inserts all keys in order.
    void fill(Who who) {
        if (who == kOurs) x_queue.clear(*x_arena);
        if (who == kList) x_list.clear();
        Keys keys(x_keys);
        std::iota(keys.begin(), keys.end(), 0);
        if (who == kUcx) return x_ucx.fill(keys);
        for (const std::uint32_t key : keys) {
            if (who == kOurs) x_queue.append(*x_arena, entry(key));
            if (who == kList) x_list.append(entry(key));
        }
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
                const auto search = x_queue.take(*x_arena, probe(key), matching::Counting::kNo);
                x_is_wrong |= !search.found || search.id != key;
                x_list.take_key(key);
            }
            std::sort(taken.begin(), taken.end());
            for (const std::uint32_t key : taken) {
                x_queue.append(*x_arena, entry(key));
                x_list.append(entry(key));
            }
        }
        x_ucx_is_behind = true;
    }

    MatchingUcx make_ucx() const {
        const UcxTags messages =
            MatchingUcx::tags_of(envelope_of<kNames>(0), envelope_of<kNames>(1));
        const UcxTags receives = MatchingUcx::tags_of(pattern_of<kNames>(0), pattern_of<kNames>(1));
        const bool is_posted = Entry::kHasFamily;
        return {is_posted, x_keys, is_posted ? receives : messages,
                is_posted ? messages : receives};
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
    /// Each key in turn is matched, and inserted again. Returns nanoseconds of all. What is
    /// searched for and inserted lies in order, since a call of MPI has its arguments at hand, too.
    double turn(Who who, std::span<const std::uint32_t> keys) {
        double sum_ns = 0;
        for (std::size_t begin = 0; begin < keys.size(); begin += kAtOnce) {
            const auto part = keys.subspan(begin, std::min(kAtOnce, keys.size() - begin));
            x_turns.clear();
            for (const std::uint32_t key : part) x_turns.push_back({entry(key), probe(key)});
            const auto turn_all = [&] {
                if (who == kUcx) x_is_wrong |= !x_ucx.turn(part);
                if (who == kOurs) turn_ours();
                if (who == kList) turn_list();
            };
            sum_ns += timed(turn_all) - x_clock_ns;
        }
        return sum_ns;
    }
    [[gnu::flatten, gnu::noinline]] void turn_ours() {
        bool is_wrong = false;
        for (const Turn& turn : x_turns) {
            const auto search = x_queue.take(*x_arena, turn.probe, matching::Counting::kNo);
            is_wrong |= !search.found || search.id != turn.entry.id;
            x_queue.append(*x_arena, turn.entry);
        }
        x_is_wrong |= is_wrong;
    }
    [[gnu::flatten, gnu::noinline]] void turn_list() {
        bool is_wrong = false;
        for (const Turn& turn : x_turns) {
            is_wrong |= x_list.take(turn.probe) != turn.entry.id;
            x_list.append(turn.entry);
        }
        x_is_wrong |= is_wrong;
    }
    /// A batch for one of them. What walks far gets a shorter one; returns how many were matched.
    std::size_t measure(Who who, const Keys& keys, bool is_cold = false) {
        const bool walks = who == kList || (who == kUcx && kNames != kExact);
        const std::size_t most = x_position == kOldest ? 4096 : 1 + (1U << 18) / x_keys;
        const auto batch = std::span(keys).first(walks ? std::min(keys.size(), most) : keys.size());
        if (is_cold) flush();
        x_ns[who].push_back(turn(who, batch) / static_cast<double>(batch.size()));
        return batch.size();
    }
    /// One batch of each. The list then makes up for what is missing without a walk, and UCX's
    /// queue is filled again, so that all hold the same again.
    void measure_all(const Keys& keys, bool is_cold = false) {
        measure(kOurs, keys, is_cold);
        if (x_ucx) {
            if (x_ucx_is_behind) x_ucx.fill(x_list.order());
            x_ucx_is_behind = measure(kUcx, keys, is_cold) < keys.size();
        }
        const std::size_t walked = measure(kList, keys, is_cold);
        for (const std::uint32_t key : std::span(keys).subspan(walked)) {
            x_list.take_key(key);
            x_list.append(entry(key));
        }
    }
    void flush() {
        for (std::size_t at = 0; at < x_flushed.size(); at += 64) ++x_flushed[at];
        asm volatile("" ::"r"(x_flushed.data()) : "memory");
    }

    void print(const char* state) {
        KUMI_ASSERT(!x_is_wrong, "a match has found another entry than it should");
        std::printf("%s %s %s %s %u", Entry::kHasFamily ? "posted" : "unexpected", kNamed[kNames],
                    kPositions[x_position], state, x_keys - 1);
        for (std::vector<double>& column : x_ns) {
            if (!column.empty()) std::printf(" %.1f", median(column));
            column.clear();
        }
        std::puts("");
        std::fflush(stdout);
    }

    struct Turn {
        Entry entry;
        typename Entry::Probe probe;
    };
    /// What these need fits into the first cache.
    static constexpr std::size_t kAtOnce = 256;

    const Position x_position;
    const std::uint32_t x_keys;
    const Effort& x_effort;
    ArenaForTests x_arena;
    matching::Queue<Entry> x_queue;
    MatchingList<Entry> x_list;
    std::vector<unsigned char> x_flushed;
    std::vector<Turn> x_turns;  ///< Of one part of a batch.
    RandomStream x_random = RandomStreams(1, "bench").stream();
    MatchingUcx x_ucx = make_ucx();
    bool x_ucx_is_behind = true;  ///< Not filled as the others are.
    const double x_clock_ns = clock_ns();
    std::array<std::vector<double>, 3> x_ns;
    bool x_is_wrong = false;
};

template <class Entry, Names kNames>
void measure_names(const Effort& effort) {
    for (const Position position : {kOldest, kNewest, kRandom})
        for (const std::uint32_t depth : effort.depths) {
            Rivals<Entry, kNames> rivals(position, depth, effort);
            rivals.measure_fresh();
            rivals.measure_aged();
            rivals.measure_cold();
        }
}
template <class Entry>
void measure_side(const Effort& effort) {
    measure_names<Entry, kExact>(effort);
    measure_names<Entry, kFromAny>(effort);
    measure_names<Entry, kAnyTag>(effort);
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
