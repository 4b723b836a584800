#include "network/channel/correction/retry.hpp"

#include <cmath>

#include "base/check.hpp"
#include "network/channel/geometric.hpp"

namespace kumi::network {

std::uint64_t windowed_rate_bps(const Retry& retry, std::uint64_t rate_bps) {
    KUMI_ASSERT(retry.happens() && retry.window > 0, "a window holds a frame");
    const Duration cycle = time_of_retry(retry, rate_bps);
    __extension__ using Wide = unsigned __int128;
    const Wide window_bits = Wide{retry.frame_bytes} * 8 * retry.window;
    const Wide limit = window_bits * 1'000'000'000'000ULL / static_cast<Wide>(cycle.ps);
    return limit < rate_bps ? static_cast<std::uint64_t>(limit) : rate_bps;
}

Duration time_of_retry(const Retry& retry, std::uint64_t rate_bps) {
    return transfer_time(retry.frame_bytes, rate_bps) + retry.round_trip;
}

std::uint64_t draw_retries(std::uint64_t frames, double frame_error, RandomStream random) {
    KUMI_ASSERT(frame_error >= 0 && frame_error < 1, "a frame gets through some time");
    std::uint64_t retries = 0;
    // Successes between failures, by one draw each; a failed frame is tried again.
    while (true) {
        const std::uint64_t successes = draw_failures(random, frame_error, frames);
        if (successes >= frames) return retries;
        frames -= successes;
        ++retries;
    }
}

double mean_retries(std::uint64_t frames, double frame_error) {
    return static_cast<double>(frames) * frame_error / (1 - frame_error);
}

double frame_error(double error, double parts) { return -std::expm1(parts * std::log1p(-error)); }

}  // namespace kumi::network
