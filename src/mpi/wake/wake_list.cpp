#include "mpi/wake/wake_list.hpp"

#include <algorithm>

namespace kumi::mpi::wake {
namespace {

/// More messages to one target than that are not timed one by one: links stay on between them.
constexpr std::uint32_t kMostFrames = 64;

}  // namespace

void WakeList::add(const AwaitedMessages& messages) {
    const auto gaps = static_cast<std::int64_t>(messages.count) - 1;
    const bool is_dense = gaps == 0 || messages.length.ps / gaps < x_shortest_sleep.ps;
    if (is_dense || messages.count > kMostFrames) return add_frame(messages);
    // Which of them are requests is not known: as evenly as possible.
    const auto requests_until = [&](std::int64_t part) {
        return static_cast<std::uint32_t>(messages.requests * part / (gaps + 1));
    };
    for (std::int64_t i = 0; i <= gaps; ++i) {
        const Duration after = scaled(messages.length, i, gaps);
        add_frame({.target = messages.target,
                   .count = 1,
                   .requests = requests_until(i + 1) - requests_until(i),
                   .early = messages.early + after,
                   .last = messages.last + after,
                   .late = messages.late});
    }
}

void WakeList::add_frame(const AwaitedMessages& messages) {
    const Duration delay = std::max(messages.early, Duration{});
    const Duration end = std::max(messages.last, delay) + messages.length + messages.late;
    const Duration last = messages.last + messages.length;
    const auto before = std::find_if(x_frames.rbegin(), x_frames.rend(), [&](const Frame& frame) {
        return frame.request.target == messages.target;
    });
    if (before != x_frames.rend() && messages.last - before->last < x_shortest_sleep) {
        conductor::WakeRequest& request = before->request;
        request.hold = std::max(request.hold, end - request.delay);
        request.messages += messages.count + messages.requests;
        before->last = std::max(before->last, last);
        return;
    }
    x_frames.push_back({.request = {.target = messages.target,
                                    .delay = delay,
                                    .hold = end - delay,
                                    .messages = messages.count + messages.requests},
                        .last = last});
}

std::vector<conductor::WakeRequest> WakeList::requests() const {
    std::vector<conductor::WakeRequest> found;
    for (const Frame& frame : x_frames) found.push_back(frame.request);
    return found;
}

}  // namespace kumi::mpi::wake
