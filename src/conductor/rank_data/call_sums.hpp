#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/call_name.hpp"
#include "base/check.hpp"
#include "base/memory/arena.hpp"
#include "base/time/time.hpp"
#include "conductor/rank_data/sent_messages.hpp"

namespace kumi::conductor {

/// A call that has ended.
struct EndedCall {
    std::uint32_t place = 0;    ///< Its number.
    bool only_asks = false;     ///< Whether something has arrived.
    std::uint32_t members = 0;  ///< Of the communicator that it names; 0 if it names none.
    Instant begin{};
    Instant end{};
    std::span<const SentMessage> sent{};  ///< By the rank, in the call.
};

/// What a rank has done in its calls at one place of the program. All numbers are exact.
struct CallSum {
    static constexpr std::size_t kBins = 64;

    CallName function;
    std::uint32_t module_bytes = 0;
    const char* module = nullptr;  ///< Path of the program or library that calls.
    std::uint64_t offset = 0;      ///< To which the call returns, as an address of that file.
    /// Of the communicators that calls named; 0 if none did.
    std::uint32_t least_members = 0, most_members = 0;
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
    std::uint32_t add_place(Arena& arena, const CallName& function, std::string_view module,
                            std::uint64_t offset) {
        if (x_count == x_room) {
            const std::uint32_t room = std::max(2 * x_room, 16U);
            x_sums = arena.enlarge(x_sums, x_count, x_room, room);
            x_room = room;
        }
        CallSum& sum = x_sums[x_count] = {};
        sum.function = function;
        sum.module_bytes = static_cast<std::uint32_t>(module.size());
        sum.module = arena.copy_of(std::span(module));
        sum.offset = offset;
        sum.targets = arena.make_array<std::uint64_t>(x_target_words);
        return x_count++;
    }

    /// The distance to the next call counts from the end of this one, unless it only asks.
    void add(const EndedCall& call) {
        KUMI_ASSERT(call.place < x_count, "a call is at a place that was never added");
        CallSum& sum = x_sums[call.place];
        add_distance(sum, call.begin - x_last_end);
        if (!call.only_asks) x_last_end = call.end;
        ++sum.calls;
        sum.inside += call.end - call.begin;
        if (call.members > 0) add_members(sum, call.members);
        for (const SentMessage& message : call.sent) {
            sum.messages += message.messages;
            sum.bytes += message.bytes;
            sum.targets[message.target / 64] |= std::uint64_t{1} << (message.target % 64);
        }
    }

    /// Whether all of it is where the arena has given it memory, as long as no program changed it.
    bool lies_in(const Arena& arena) const {
        if (x_count == 0) return true;
        if (!arena.contains(x_sums, x_count * sizeof(CallSum))) return false;
        return std::ranges::all_of(places(), [&](const CallSum& sum) {
            return arena.contains(sum.module, sum.module_bytes) &&
                   arena.contains(sum.targets, x_target_words * sizeof(std::uint64_t));
        });
    }
    std::span<const CallSum> places() const { return {x_sums, x_count}; }
    /// Calls `take` with each rank to which messages went from a place, in their order.
    template <class Take>
    void for_each_target(const CallSum& place, Take&& take) const {
        for (std::uint32_t word = 0; word < x_target_words; ++word) {
            std::uint64_t left = place.targets[word];
            for (; left != 0; left &= left - 1)
                take(64 * word + static_cast<std::uint32_t>(std::countr_zero(left)));
        }
    }

   private:
    static void add_members(CallSum& sum, std::uint32_t members) {
        const bool is_first = sum.least_members == 0;
        sum.least_members = is_first ? members : std::min(sum.least_members, members);
        sum.most_members = std::max(sum.most_members, members);
    }
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
