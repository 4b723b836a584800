#pragma once

#include <cstdint>

#include "base/arena.hpp"
#include "base/time.hpp"

namespace kumi {

/// How long a link was busy in each bin of virtual time. The bins' width starts at 2^20 ps (about
/// a microsecond) and doubles whenever the run outgrows them, so that their number stays fixed.
class LinkUse {
   public:
    static constexpr std::uint32_t kFirstWidthLog2 = 20;

    /// The link is busy in [start, start + span). Starts of one link must not decrease.
    void add(Arena& arena, std::uint32_t bins, Instant start, Duration span) {
        // Kept apart until the bin is left, because then the bin itself need not be touched here.
        if (start.ps >= x_bin_begin_ps && start.ps + span.ps <= x_bin_end_ps) {
            x_busy_ps += span.ps;
            return;
        }
        add_across(arena, bins, start, span);
    }

    std::uint32_t width_log2() const { return x_width_log2; }

    /// Adds this link's use to `bin_count` bins of 2^`width_log2` ps, no narrower than its own.
    void add_to(std::int64_t* bins_ps, std::uint32_t bin_count, std::uint32_t width_log2) const;

    /// One more than the last bin of 2^`width_log2` ps in which the link was busy.
    std::uint32_t used_bins(std::uint32_t width_log2) const;

   private:
    void add_across(Arena& arena, std::uint32_t bins, Instant start, Duration span);
    void widen();

    std::int64_t x_bin_begin_ps = 0;  ///< The bin that the last addition ended in.
    std::int64_t x_bin_end_ps = 0;
    std::int64_t x_busy_ps = 0;  ///< Of that bin, not yet in `x_bins_ps`.
    std::int64_t* x_bins_ps = nullptr;
    std::uint32_t x_bins = 0;
    std::uint32_t x_width_log2 = kFirstWidthLog2;
};

}  // namespace kumi
