#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "base/check.hpp"
#include "base/memory/arena.hpp"
#include "base/time/time.hpp"
#include "conductor/rank_data/sent_messages.hpp"

namespace kumi::conductor {

/// When a call began and ended.
struct CallTimes {
    Instant begin{};
    Instant end{};
};

/// What a rank has done in its calls at one place of the program. All numbers are exact.
struct CallSum {
    static constexpr std::size_t kBins = 64;

    std::uint64_t calls = 0;
    std::int64_t least_ps = std::numeric_limits<std::int64_t>::max();  ///< Of the distances.
    std::int64_t most_ps = 0;
    std::int64_t sum_ps = 0;
    std::uint64_t squares_high = 0;  ///< Their sum in ps^2, of 128 bits.
    std::uint64_t squares_low = 0;
    /// Distances by the number of their bits: entry i counts those below 2^i and not below 2^(i-1).
    std::uint64_t bins[kBins] = {};
    Duration inside{};
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    std::uint64_t* targets = nullptr;  ///< One bit for each rank.
};

/// What a rank has done in its calls, by place. A call's distance is the time since the rank's
/// communication before ended. Plain data in the segment.
class CallSums {
   public:
    explicit CallSums(std::uint32_t ranks) : x_target_words((ranks + 63) / 64) {}

    /// Returns the number of a new place; they count from 0.
    std::uint32_t add_place(Arena& arena) {
        if (x_count == x_room) {
            const std::uint32_t room = std::max(2 * x_room, 16U);
            x_sums = arena.enlarge(x_sums, x_count, x_room, room);
            x_room = room;
        }
        x_sums[x_count] = {};
        x_sums[x_count].targets = arena.make_array<std::uint64_t>(x_target_words);
        return x_count++;
    }

    /// A call at a place has ended, in which the rank has `sent` this. The distance to the next one
    /// counts from its end, unless it `only_asks` whether something has arrived.
    void add_call(std::uint32_t place, bool only_asks, CallTimes times,
                  std::span<const SentMessage> sent) {
        KUMI_ASSERT(place < x_count, "a call ends at a place that was never added");
        CallSum& sum = x_sums[place];
        add_distance(sum, times.begin - x_last_end);
        if (!only_asks) x_last_end = times.end;
        ++sum.calls;
        sum.inside += times.end - times.begin;
        for (const SentMessage& message : sent) {
            sum.messages += message.messages;
            sum.bytes += message.bytes;
            sum.targets[message.target / 64] |= std::uint64_t{1} << (message.target % 64);
        }
    }

    const CallSum& at(std::uint32_t place) const { return x_sums[place]; }
    /// Calls `take` with each rank to which messages went from there, in their order.
    template <class Take>
    void for_each_target(std::uint32_t place, Take&& take) const {
        for (std::uint32_t word = 0; word < x_target_words; ++word) {
            std::uint64_t left = x_sums[place].targets[word];
            for (; left != 0; left &= left - 1)
                take(64 * word + static_cast<std::uint32_t>(std::countr_zero(left)));
        }
    }

   private:
    static void add_distance(CallSum& sum, Duration distance) {
        sum.least_ps = std::min(sum.least_ps, distance.ps);
        sum.most_ps = std::max(sum.most_ps, distance.ps);
        sum.sum_ps += distance.ps;
        ++sum.bins[static_cast<std::size_t>(
            std::bit_width(static_cast<std::uint64_t>(distance.ps)))];
        __extension__ using Square = unsigned __int128;
        const Square squares = ((static_cast<Square>(sum.squares_high) << 64U) | sum.squares_low) +
                               static_cast<Square>(distance.ps) * static_cast<Square>(distance.ps);
        sum.squares_high = static_cast<std::uint64_t>(squares >> 64U);
        sum.squares_low = static_cast<std::uint64_t>(squares);
    }

    CallSum* x_sums = nullptr;
    std::uint32_t x_count = 0, x_room = 0;
    std::uint32_t x_target_words;
    Instant x_last_end{};
};

}  // namespace kumi::conductor
