#pragma once

#include <cstdint>

#include "base/memory/arena.hpp"
#include "base/time/time.hpp"
#include "network/routing/route_table.hpp"

namespace kumi::network {

/// Wake frames on their way: a network interface sends them down a path, without any matching, to
/// wake its links before data come. Either the frame runs ahead, at the links' latencies, and asks
/// one link after the other; or it crosses each link as soon as that is active. Plain data.
class WakeFrames {
   public:
    struct Frame {
        TransitPath path;
        Instant until{};             ///< The next link stays active until then at most.
        std::uint32_t messages = 0;  ///< That will follow.
        std::uint16_t hop = 0;
        /// Sent ahead of data that wait: those are at the next link at `until`.
        bool is_from_queue = false;
    };

    WakeFrames(Arena& arena, std::uint32_t links)
        : x_frames(&arena), x_sequences(arena.make_array<std::uint64_t>(links)) {}

    std::uint32_t acquire() { return x_frames.acquire(); }
    Frame& at(std::uint32_t index) { return x_frames.at(index); }
    void release(std::uint32_t index) { x_frames.release(index); }
    /// No interface sends any after that: the programs are over.
    void end_at(Instant end) { x_end = end; }
    Instant end() const { return x_end; }
    /// Counts the frames that have reached the far end of a link.
    std::uint64_t next_sequence(std::uint32_t link) { return x_sequences[link]++; }

   private:
    Pool<Frame> x_frames;
    std::uint64_t* x_sequences;
    Instant x_end = kNever;
};

}  // namespace kumi::network
