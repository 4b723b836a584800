#pragma once

#include <bit>
#include <cstdint>

#include "base/time/time.hpp"

namespace kumi::network {

/// How often links were idle for how long: eight classes for each doubling of the length.
class IdleHistogram {
   public:
    static constexpr std::uint32_t kFirstLog2 =
        10;  ///< Shorter ones, below about 1 ns, are one class.
    static constexpr std::uint32_t kPerDoubling = 8;
    static constexpr std::uint32_t kClasses = 1 + (62 - kFirstLog2) * kPerDoubling;

    void add(Duration idle) {
        const std::uint32_t place = class_of(idle);
        ++x_counts[place];
        x_total[place] += idle;
    }

    std::uint64_t count(std::uint32_t place) const { return x_counts[place]; }
    Duration total(std::uint32_t place) const { return x_total[place]; }

    /// The shortest idle time of a class.
    static constexpr Duration begin_of(std::uint32_t place) {
        if (place == 0) return {};
        const std::uint32_t doubling = (place - 1) / kPerDoubling;
        const std::int64_t part = (place - 1) % kPerDoubling;
        const std::int64_t octave = std::int64_t{1} << (kFirstLog2 + doubling);
        return {octave + octave / kPerDoubling * part};
    }

    static constexpr std::uint32_t class_of(Duration idle) {
        const auto length = static_cast<std::uint64_t>(idle.ps);
        if (length < (std::uint64_t{1} << kFirstLog2)) return 0;
        const auto log2 = static_cast<std::uint32_t>(std::bit_width(length)) - 1;
        const auto part = static_cast<std::uint32_t>(length >> (log2 - 3)) % kPerDoubling;
        return 1 + (log2 - kFirstLog2) * kPerDoubling + part;
    }

   private:
    std::uint64_t x_counts[kClasses] = {};
    Duration x_total[kClasses] = {};
};

}  // namespace kumi::network
