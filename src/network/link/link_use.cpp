#include "network/link/link_use.hpp"

#include <bit>
#include <utility>

namespace kumi::network {

void LinkUse::add_across(UseBins& bins, Instant start, Duration span) {
    if (span.ps == 0) return;
    if (x_bins == nullptr) x_bins = bins.take();
    const std::size_t stride = bins.stride();
    const std::int64_t end_ps = start.ps + span.ps;
    const std::uint64_t past =
        static_cast<std::uint64_t>((end_ps - 1) >> x_width_log2) >> std::countr_zero(bins.count());
    if (past != 0) widen(static_cast<std::uint32_t>(std::bit_width(past)), stride);

    const auto last = static_cast<std::uint32_t>((end_ps - 1) >> x_width_log2);
    leave_for(static_cast<std::uint32_t>(start.ps >> x_width_log2), stride);
    std::int64_t begin_ps = start.ps;
    while (x_bin < last) {
        const std::int64_t boundary_ps = (std::int64_t{x_bin} + 1) << x_width_log2;
        x_busy_ps += boundary_ps - begin_ps;
        begin_ps = boundary_ps;
        leave_for(x_bin + 1, stride);
    }
    x_busy_ps += end_ps - begin_ps;
}

/// Keeps another bin apart from now on, the same or a later one.
void LinkUse::leave_for(std::uint32_t bin, std::size_t stride) {
    if (bin == x_bin) return;
    x_bins[x_bin * stride] = std::exchange(x_busy_ps, 0);
    x_bin = bin;
}

/// Makes bins 2^`by_log2` times as wide.
void LinkUse::widen(std::uint32_t by_log2, std::size_t stride) {
    for (std::uint32_t step = 0; step < by_log2 && x_bin > 0; ++step) {
        const std::uint32_t end = x_bin;
        if (x_bin % 2 == 1) x_busy_ps += x_bins[(x_bin - 1) * stride];
        x_bin /= 2;
        for (std::uint32_t bin = 0; bin < x_bin; ++bin) {
            x_bins[bin * stride] = x_bins[2 * bin * stride] + x_bins[(2 * bin + 1) * stride];
        }
        for (std::uint32_t bin = x_bin; bin < end; ++bin) x_bins[bin * stride] = 0;
    }
    x_width_log2 += by_log2;
}

void LinkUse::add_to(std::int64_t* busy_ps, std::uint32_t width_log2, const UseBins& bins) const {
    KUMI_ASSERT(width_log2 >= x_width_log2, "bins are made narrower than they were");
    const std::uint32_t shift = width_log2 - x_width_log2;
    for (std::uint32_t bin = 0; bin < x_bin; ++bin) {
        busy_ps[bin >> shift] += x_bins[bin * bins.stride()];
    }
    if (x_busy_ps != 0) busy_ps[x_bin >> shift] += x_busy_ps;
}

std::uint32_t LinkUse::used_bins(std::uint32_t width_log2) const {
    if (x_bin == 0 && x_busy_ps == 0) return 0;
    return (x_bin >> (width_log2 - x_width_log2)) + 1;
}

}  // namespace kumi::network
