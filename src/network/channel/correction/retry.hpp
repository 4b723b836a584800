#pragma once

#include <cstdint>

#include "base/random/random_stream.hpp"
#include "base/time/time.hpp"

namespace kumi::network {

/// Link-level retry: a link's far end finds frames with errors by their check sum and has them, and
/// all that followed, sent again (go-back-N). Plain data.
struct Retry {
    std::uint64_t frame_bytes = 0;  ///< 0: there is no retry.
    std::uint32_t window = 1;       ///< Frames that may be under way unconfirmed.
    Duration round_trip{};          ///< From a frame's last bit leaving to its confirmation.

    bool happens() const { return frame_bytes != 0; }
    std::uint64_t frames(std::uint64_t size_bytes) const {
        return size_bytes == 0 ? 1 : (size_bytes - 1) / frame_bytes + 1;
    }
};

/// The rate at which a link without errors carries data: its own, or a window per round trip and
/// frame, whichever is less. Rounded down.
std::uint64_t windowed_rate_bps(const Retry& retry, std::uint64_t rate_bps);

/// What one frame with an error costs: it and all that left before the sender heard of it are sent
/// again, which is a frame's time and the round trip. A window that is shorter does not cost less:
/// the sender then stands still.
Duration time_of_retry(const Retry& retry, std::uint64_t rate_bps);

/// How often frames of a message are sent again at one hop, each time with that probability: the
/// failures before `frames` successes. The time grows with the number of retries.
std::uint64_t draw_retries(std::uint64_t frames, double frame_error, RandomStream random);

/// Their mean: frames x error / (1 - error).
double mean_retries(std::uint64_t frames, double frame_error);

/// Probability that a frame has an error whose bits or words have errors independently.
double frame_error(double error, double parts);

}  // namespace kumi::network
