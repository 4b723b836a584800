#include "network/link/link_use.hpp"

#include <algorithm>

namespace kumi {

void LinkUse::add_across(Arena& arena, std::uint32_t bins, Instant start, Duration span) {
    if (span.ps == 0) return;
    if (x_bins_ps == nullptr) {
        x_bins_ps = arena.make_array<std::int64_t>(bins);
        x_bins = bins;
    }
    x_bins_ps[x_bin_begin_ps >> x_width_log2] += x_busy_ps;
    x_busy_ps = 0;

    const std::int64_t end_ps = start.ps + span.ps;
    while ((end_ps - 1) >> x_width_log2 >= x_bins) widen();
    const std::int64_t first = start.ps >> x_width_log2;
    const std::int64_t last = (end_ps - 1) >> x_width_log2;
    for (std::int64_t bin = first; bin <= last; ++bin) {
        const std::int64_t begin = std::max(start.ps, bin << x_width_log2);
        const std::int64_t end = std::min(end_ps, (bin + 1) << x_width_log2);
        x_bins_ps[bin] += end - begin;
    }
    x_bin_begin_ps = last << x_width_log2;
    x_bin_end_ps = (last + 1) << x_width_log2;
}

void LinkUse::widen() {
    for (std::uint32_t bin = 0; bin < x_bins; ++bin) {
        const std::int64_t both =
            2 * bin < x_bins ? x_bins_ps[2 * bin] + x_bins_ps[2 * bin + 1] : 0;
        x_bins_ps[bin] = both;
    }
    ++x_width_log2;
}

void LinkUse::add_to(std::int64_t* bins_ps, std::uint32_t bin_count,
                     std::uint32_t width_log2) const {
    if (x_bins_ps == nullptr) return;
    KUMI_ASSERT(width_log2 >= x_width_log2, "bins are split");
    const std::uint32_t shift = width_log2 - x_width_log2;
    for (std::uint32_t bin = 0; bin < x_bins; ++bin) {
        if (bin >> shift < bin_count) bins_ps[bin >> shift] += x_bins_ps[bin];
    }
    bins_ps[x_bin_begin_ps >> width_log2] += x_busy_ps;
}

std::uint32_t LinkUse::used_bins(std::uint32_t width_log2) const {
    if (x_bins_ps == nullptr) return 0;
    return static_cast<std::uint32_t>(x_bin_begin_ps >> width_log2) + 1;
}

}  // namespace kumi
