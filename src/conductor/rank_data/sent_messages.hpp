#pragma once

#include <cstdint>
#include <span>

#include "base/memory/arena.hpp"
#include "base/time/time.hpp"

namespace kumi::conductor {

/// Messages of one rank to one target.
struct SentMessage {
    std::uint32_t target = 0;
    Instant first{};
    Instant last{};
    std::uint32_t messages = 0;
    std::uint64_t bytes = 0;
    /// Number of requests among them, whose data the target will fetch: these follow, the same way.
    std::uint32_t requests = 0;
};

/// What a rank has sent since its present MPI call began: one entry for each target, in order of
/// the first message to it. Plain data in the segment; its pages exist only as far as they are
/// used.
class SentMessages {
   public:
    SentMessages(Arena& arena, std::uint32_t ranks)
        : x_entries(arena.make_array<SentMessage>(ranks)),
          x_places(arena.make_array<std::uint32_t>(ranks)) {}

    void clear() { x_count = 0; }
    void note(std::uint32_t target, Instant when, std::uint64_t bytes, bool is_request) {
        const std::uint32_t place = x_places[target];
        if (place < x_count && x_entries[place].target == target) {
            x_entries[place].last = when;
            ++x_entries[place].messages;
            x_entries[place].bytes += bytes;
            if (is_request) ++x_entries[place].requests;
            return;
        }
        x_places[target] = x_count;
        x_entries[x_count++] = {target, when, when, 1, bytes, is_request ? 1U : 0U};
    }
    std::span<const SentMessage> all() const { return {x_entries, x_count}; }

   private:
    SentMessage* x_entries;
    std::uint32_t* x_places;  ///< Of each target's entry, if it has one.
    std::uint32_t x_count = 0;
};

}  // namespace kumi::conductor
