#include "network/link/link_use.hpp"

#include <algorithm>
#include <new>

namespace kumi {

void LinkUse::add_across(Arena& arena, std::uint32_t bin_count, Instant start, Duration span) {
    if (span.ps == 0) return;
    if (x_bins == nullptr) {
        x_bins = new (arena.make_array<std::int64_t>(bin_count + std::size_t{1})) Bins();
        x_bins->count = bin_count;
    }
    Bins& bins = *x_bins;
    std::int64_t* const busy_ps = bins.busy_ps();
    if (x_busy_ps != 0) busy_ps[(x_bin_end_ps - 1) >> bins.width_log2] += x_busy_ps;
    x_busy_ps = 0;

    const std::int64_t end_ps = start.ps + span.ps;
    while ((end_ps - 1) >> bins.width_log2 >= bins.count) widen(bins);
    const std::int64_t last = (end_ps - 1) >> bins.width_log2;
    for (std::int64_t bin = start.ps >> bins.width_log2; bin <= last; ++bin) {
        const std::int64_t begin_in_bin = std::max(start.ps, bin << bins.width_log2);
        const std::int64_t end_in_bin = std::min(end_ps, (bin + 1) << bins.width_log2);
        busy_ps[bin] += end_in_bin - begin_in_bin;
    }
    x_bin_end_ps = (last + 1) << bins.width_log2;
}

void LinkUse::widen(Bins& bins) {
    const std::size_t half = bins.count / 2;
    std::int64_t* const busy_ps = bins.busy_ps();
    for (std::size_t bin = 0; bin < half; ++bin) {
        busy_ps[bin] = busy_ps[2 * bin] + busy_ps[2 * bin + 1];
    }
    std::fill(busy_ps + half, busy_ps + bins.count, 0);
    ++bins.width_log2;
}

void LinkUse::add_to(std::int64_t* busy_ps, std::uint32_t width_log2) const {
    if (x_bins == nullptr) return;
    KUMI_ASSERT(width_log2 >= x_bins->width_log2, "bins are made narrower than they were");
    const std::uint32_t shift = width_log2 - x_bins->width_log2;
    for (std::uint32_t bin = 0; bin < used_bins(x_bins->width_log2); ++bin) {
        busy_ps[bin >> shift] += x_bins->busy_ps()[bin];
    }
    busy_ps[(x_bin_end_ps - 1) >> width_log2] += x_busy_ps;
}

std::uint32_t LinkUse::used_bins(std::uint32_t width_log2) const {
    if (x_bins == nullptr) return 0;
    return static_cast<std::uint32_t>((x_bin_end_ps - 1) >> width_log2) + 1;
}

}  // namespace kumi
