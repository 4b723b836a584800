#pragma once

#include <cstdint>

#include "base/arena.hpp"
#include "base/prefetch.hpp"
#include "base/time.hpp"

namespace kumi {

/// How long a link was busy in each bin of virtual time. The bins' width starts at 2^20 ps (about
/// a microsecond) and doubles whenever the run outgrows them, so that their number stays fixed.
class LinkUse {
   public:
    static constexpr std::uint32_t kFirstWidthLog2 = 20;

    /// The link is busy in [start, start + span), not before the last addition's end. `bin_count`
    /// is a power of two, the same in every call.
    void add(Arena& arena, std::uint32_t bin_count, Instant start, Duration span) {
        // The bin that the last addition ended in is kept apart, so that memory elsewhere need not
        // be touched for each packet. Additions are in order: none begins before that bin.
        if ((start.ps + span.ps - 1) >> x_width_log2 <= x_bin) {
            x_busy_ps += span.ps;
            return;
        }
        add_across(arena, bin_count, start, span);
    }

    /// Binary logarithm of the bins' width in ps.
    std::uint32_t width_log2() const { return x_width_log2; }

    /// Fetches the place of the bin that is kept apart.
    void prefetch() const { prefetch_line(x_bins + x_bin); }

    /// Adds this link's use to `bin_count` bins of 2^`width_log2` ps, no narrower than its own and
    /// at least `used_bins(width_log2)` of them.
    void add_to(std::int64_t* busy_ps, std::uint32_t width_log2) const;

    /// One more than the last bin of 2^`width_log2` ps in which the link was busy.
    std::uint32_t used_bins(std::uint32_t width_log2) const;

   private:
    void add_across(Arena& arena, std::uint32_t bin_count, Instant start, Duration span);
    void widen(std::uint32_t by_log2);

    std::uint32_t x_bin = 0;  ///< That the last addition ended in; those behind it are 0.
    std::uint32_t x_width_log2 = kFirstWidthLog2;
    std::int64_t x_busy_ps = 0;      ///< In that bin, not yet in `x_bins`.
    std::int64_t* x_bins = nullptr;  ///< Made when the link is used beyond its first bin.
};

}  // namespace kumi
