#pragma once

#include <cstdint>
#include <vector>

#include "base/time/time.hpp"
#include "conductor/port/wake_request.hpp"

namespace kumi::mpi::wake {

/// Messages to one rank that links shall be awake for.
struct AwaitedMessages {
    std::uint32_t target = 0;
    std::uint32_t count = 0;
    /// Requests among them: the data, which the target fetches, cross the links as well.
    std::uint32_t requests = 0;
    // When the wake frame leaves, from now; a time that is over means now.
    Duration early{};   ///< For data that come earlier than ever before.
    Duration last{};    ///< For those that come as early as ever.
    Duration late{};    ///< By which the data may be later than that.
    Duration length{};  ///< From the first message to the last.
};

/// The wake frames that are asked for with one ring of the doorbell.
///
/// Messages to one target that follow one another so closely that nothing is saved by sleep in
/// between share a frame: links then stay awake for all of them, however their times shift.
class WakeList {
   public:
    /// Links that are idle for less than `shortest_sleep` save nothing by sleeping.
    explicit WakeList(Duration shortest_sleep) : x_shortest_sleep(shortest_sleep) {}

    void add(const AwaitedMessages& messages);
    void clear() { x_frames.clear(); }
    bool is_empty() const { return x_frames.empty(); }
    /// In the order in which they were added.
    std::vector<conductor::WakeRequest> requests() const;

   private:
    struct Frame {
        conductor::WakeRequest request;
        Duration last;  ///< When the frame for the last message alone would leave.
    };

    void add_frame(const AwaitedMessages& messages);

    Duration x_shortest_sleep;
    std::vector<Frame> x_frames;
};

}  // namespace kumi::mpi::wake
