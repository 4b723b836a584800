#include "network/link/link_use.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace kumi {

void LinkUse::add_across(Arena& arena, std::uint32_t bin_count, Instant start, Duration span) {
    if (span.ps == 0) return;
    if (x_bins == nullptr) x_bins = arena.make_array<std::int64_t>(bin_count);
    const std::int64_t end_ps = start.ps + span.ps;
    const std::uint64_t past =
        static_cast<std::uint64_t>((end_ps - 1) >> x_width_log2) >> std::countr_zero(bin_count);
    if (past != 0) widen(static_cast<std::uint32_t>(std::bit_width(past)));

    const auto last = static_cast<std::uint32_t>((end_ps - 1) >> x_width_log2);
    const auto end_of = [this](std::uint32_t bin) {
        return (std::int64_t{bin} + 1) << x_width_log2;
    };
    auto bin = static_cast<std::uint32_t>(start.ps >> x_width_log2);
    if (bin != x_bin) {
        x_bins[x_bin] += x_busy_ps;
        x_busy_ps = 0;
    }
    std::int64_t begin_ps = start.ps;
    for (; bin < last; ++bin) {
        x_bins[bin] += x_busy_ps + (end_of(bin) - begin_ps);
        x_busy_ps = 0;
        begin_ps = end_of(bin);
    }
    x_bin = last;
    x_busy_ps += end_ps - begin_ps;
}

/// Makes bins 2^`by_log2` times as wide.
void LinkUse::widen(std::uint32_t by_log2) {
    const std::uint64_t width = std::uint64_t{1} << by_log2;
    const std::uint64_t count = std::uint64_t{x_bin} + 1;
    std::uint64_t wide = 0;
    for (std::uint64_t begin = 0; begin < count; begin += width) {
        const std::uint64_t end = std::min(begin + width, count);
        x_bins[wide++] = std::accumulate(x_bins + begin, x_bins + end, std::int64_t{0});
    }
    std::fill(x_bins + wide, x_bins + count, 0);
    x_bin = static_cast<std::uint32_t>(std::uint64_t{x_bin} >> by_log2);
    x_width_log2 += by_log2;
}

void LinkUse::add_to(std::int64_t* busy_ps, std::uint32_t width_log2) const {
    KUMI_ASSERT(width_log2 >= x_width_log2, "bins are made narrower than they were");
    const std::uint32_t shift = width_log2 - x_width_log2;
    if (x_bins != nullptr) {
        for (std::uint32_t bin = 0; bin <= x_bin; ++bin) busy_ps[bin >> shift] += x_bins[bin];
    }
    if (x_busy_ps != 0) busy_ps[x_bin >> shift] += x_busy_ps;
}

std::uint32_t LinkUse::used_bins(std::uint32_t width_log2) const {
    if (x_bins == nullptr && x_busy_ps == 0) return 0;
    return (x_bin >> (width_log2 - x_width_log2)) + 1;
}

}  // namespace kumi
