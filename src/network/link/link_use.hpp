#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/memory/arena.hpp"
#include "base/memory/prefetch.hpp"
#include "base/time/time.hpp"

namespace kumi::network {

/// Memory for the bins of many links, the same number for each. Bins of one number are adjacent,
/// since links mostly use them at the same time: what is in use takes few cache lines and pages.
class UseBins {
   public:
    /// Of at most `links` links; `count` is a power of two.
    UseBins(Arena* arena, std::uint32_t links, std::uint32_t count)
        : x_arena(arena), x_count(count), x_together(std::clamp(links, 1U, kMostTogether)) {}

    std::uint32_t count() const { return x_count; }
    /// From a bin of a link to its next one. An odd number of cache lines, so that all bins of a
    /// link do not share a few sets of a cache.
    std::size_t stride() const {
        constexpr std::size_t kOfLine = 64 / sizeof(std::int64_t);
        return ((x_together + kOfLine - 1) / kOfLine | 1) * kOfLine;
    }
    /// The first bin of one more link; all are 0.
    std::int64_t* take() {
        if (x_left == 0) {
            const std::size_t all = stride() * x_count * sizeof(std::int64_t);
            x_next = static_cast<std::int64_t*>(x_arena->allocate_zeros(all));
            x_left = x_together;
        }
        --x_left;
        return x_next++;
    }

   private:
    static constexpr std::uint32_t kMostTogether = 4096;

    Arena* x_arena;
    std::int64_t* x_next = nullptr;
    std::uint32_t x_left = 0;
    std::uint32_t x_count;
    std::uint32_t x_together;  ///< Links.
};

/// How long a link was busy in each bin of virtual time. The bins' width starts at 2^20 ps (about
/// a microsecond) and doubles whenever the run outgrows them, so that their number stays fixed.
class LinkUse {
   public:
    static constexpr std::uint32_t kFirstWidthLog2 = 20;

    /// The link is busy in [start, start + span), not before the last addition's end. `bins` are
    /// the same in every call.
    void add(UseBins& bins, Instant start, Duration span) {
        // The bin that the last addition ended in is kept apart, so that memory elsewhere need not
        // be touched for each packet, and is only written. Additions are in order: none begins
        // before that bin.
        const std::uint64_t boundary_ps = (std::uint64_t{x_bin} + 1) << x_width_log2;
        const auto past_ps =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(start.ps + span.ps) - boundary_ps);
        if (past_ps <= 0) {
            x_busy_ps += span.ps;
            return;
        }
        // Most others begin in it and end in the next one, or lie in one of the later ones.
        const auto first = static_cast<std::uint64_t>(start.ps) >> x_width_log2;
        const auto last = static_cast<std::uint64_t>(start.ps + span.ps - 1) >> x_width_log2;
        if ((first == last || last == x_bin + 1) && last < bins.count() && x_bins != nullptr &&
            span.ps != 0) {
            x_bins[x_bin * bins.stride()] =
                x_busy_ps + std::max<std::int64_t>(span.ps - past_ps, 0);
            x_bin = static_cast<std::uint32_t>(last);
            x_busy_ps = std::min(span.ps, past_ps);
            return;
        }
        add_across(bins, start, span);
    }

    /// Binary logarithm of the bins' width in ps.
    std::uint32_t width_log2() const { return x_width_log2; }

    /// Fetches the place of the bin that is kept apart.
    void prefetch(const UseBins& bins) const { prefetch_line(x_bins + x_bin * bins.stride()); }

    /// Adds this link's use to `bin_count` bins of 2^`width_log2` ps, no narrower than its own and
    /// at least `used_bins(width_log2)` of them.
    void add_to(std::int64_t* busy_ps, std::uint32_t width_log2, const UseBins& bins) const;

    /// One more than the last bin of 2^`width_log2` ps in which the link was busy.
    std::uint32_t used_bins(std::uint32_t width_log2) const;

   private:
    [[gnu::noinline]] void add_across(UseBins& bins, Instant start, Duration span);
    void leave_for(std::uint32_t bin, std::size_t stride);
    void widen(std::uint32_t by_log2, std::size_t stride);

    std::uint32_t x_bin = 0;  ///< That the last addition ended in.
    std::uint32_t x_width_log2 = kFirstWidthLog2;
    std::int64_t x_busy_ps = 0;      ///< In that bin.
    std::int64_t* x_bins = nullptr;  ///< Those before it, the others 0. Taken when there are any.
};

}  // namespace kumi::network
