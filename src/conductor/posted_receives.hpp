#pragma once

#include <algorithm>
#include <cstdint>

#include "base/arena.hpp"
#include "conductor/message.hpp"

namespace kumi {

/// A receive that waits for a message from `source` with `tag`, but for the bits in `ignore`.
struct PostedReceive {
    std::uint32_t source = kAnySource;
    /// The rank's MPI call cannot go on without its message. A number, since the segment may be
    /// damaged, where a bool must not be read.
    std::uint32_t is_needed = 0;
    std::uint64_t tag = 0;
    std::uint64_t ignore = 0;

    static constexpr std::uint32_t kAnySource = 0xFFFFFFFF;

    bool accepts(const Message& message) const {
        return (source == kAnySource || source == message.source) &&
               ((message.tag ^ tag) & ~ignore) == 0;
    }
};

/// What a rank that sleeps has posted, oldest first. Plain data in the segment.
class PostedReceives {
   public:
    struct Search {
        std::uint32_t searched = 0;  ///< Receives that were looked at, the one found included.
        bool found = false;
    };

    /// Receives that are needed and still wait.
    std::uint32_t needed() const { return x_needed; }
    void clear() { x_count = x_needed = 0; }

    void add(Arena& arena, const PostedReceive& receive) {
        if (x_count == x_room) grow(arena);
        x_receives[x_count++] = receive;
        if (receive.is_needed != 0) ++x_needed;
    }

    /// The oldest receive that accepts `message` gets it, and waits no more.
    Search give(const Message& message) {
        PostedReceive* const end = x_receives + x_count;
        PostedReceive* const found =
            std::find_if(x_receives, end,
                         [&](const PostedReceive& receive) { return receive.accepts(message); });
        if (found == end) return {x_count, false};
        if (found->is_needed != 0) --x_needed;
        std::copy(found + 1, end, found);
        --x_count;
        return {static_cast<std::uint32_t>(found - x_receives) + 1, true};
    }

   private:
    void grow(Arena& arena) {
        constexpr std::uint32_t kFirstRoom = 32;
        const std::uint32_t room = std::max(kFirstRoom, 2 * x_room);
        auto* larger = static_cast<PostedReceive*>(arena.allocate(sizeof(PostedReceive) * room));
        std::copy(x_receives, x_receives + x_count, larger);
        if (x_room > 0) arena.release(x_receives, sizeof(PostedReceive) * x_room);
        x_receives = larger;
        x_room = room;
    }

    PostedReceive* x_receives = nullptr;
    std::uint32_t x_count = 0;
    std::uint32_t x_room = 0;
    std::uint32_t x_needed = 0;
};

}  // namespace kumi
