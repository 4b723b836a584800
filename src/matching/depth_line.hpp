#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/time/time.hpp"

namespace kumi::matching {

/// Entries in both of a rank's queues.
struct Depths {
    std::uint32_t posted = 0;
    std::uint32_t unexpected = 0;

    friend bool operator==(const Depths&, const Depths&) = default;
    /// The more of each.
    friend Depths deeper(const Depths& one, const Depths& other) {
        return {std::max(one.posted, other.posted), std::max(one.unexpected, other.unexpected)};
    }
};

/// How deep a rank's queues were over time: the most entries in each of equal stretches of time.
/// Plain data of a fixed size. When time goes beyond its end, stretches become twice as long and
/// pairs of them one.
class DepthLine {
   public:
    static constexpr std::uint32_t kStretches = 128;

    /// From `at` on the queues are this deep. What is noted comes in the order of time; what does
    /// not, counts as at the last instant.
    void note(Instant at, Depths depths) {
        advance(at);
        x_most[x_last] = deeper(x_most[x_last], depths);
        x_now = depths;
    }

    /// Calls `visit(begin, end, most)` for each stretch up to `end`, neighbours with the same
    /// depths as one, without those in which both queues were empty.
    template <class Visit>
    void for_each(Instant end, Visit&& visit) const {
        DepthLine whole = *this;
        whole.advance(end);
        for (std::uint32_t first = 0, next = 0; first <= whole.x_last; first = next) {
            const Depths most = whole.x_most[first];
            while (next <= whole.x_last && whole.x_most[next] == most) ++next;
            const Instant begin = whole.begin_of(first);
            const Instant stop = earlier(whole.begin_of(next), end);
            if (most != Depths{} && begin < stop) visit(begin, stop, most);
        }
    }

    /// False if something else has written to it; then nothing may be asked of it.
    bool is_possible() const {
        return x_shift < 63 && x_last < kStretches &&
               std::all_of(
                   x_most.begin() + x_last + 1, x_most.end(),
                   [](const Depths& depths) { return depths == Depths{}; });
    }

   private:
    Instant begin_of(std::uint32_t stretch) const {
        return {static_cast<std::int64_t>(std::uint64_t{stretch} << x_shift)};
    }
    /// The queues stay as they are until `at`.
    void advance(Instant at) {
        const auto ps = static_cast<std::uint64_t>(std::max<std::int64_t>(at.ps, 0));
        while (ps >> x_shift >= kStretches) [[unlikely]]
            widen();
        const auto stretch = static_cast<std::uint32_t>(ps >> x_shift);
        while (x_last < stretch) x_most[++x_last] = x_now;
    }
    void widen() {
        for (std::uint32_t stretch = 0; stretch < kStretches; stretch += 2)
            x_most[stretch / 2] = deeper(x_most[stretch], x_most[stretch + 1]);
        std::fill(x_most.begin() + kStretches / 2, x_most.end(), Depths{});
        x_last /= 2;
        ++x_shift;
    }

    std::uint32_t x_shift = 16;  ///< A stretch is two to this power picoseconds long.
    std::uint32_t x_last = 0;    ///< The stretch of what was noted last; all later ones are empty.
    Depths x_now{};
    std::array<Depths, kStretches> x_most{};
};

}  // namespace kumi::matching
