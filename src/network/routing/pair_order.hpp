#pragma once

#include <cstdint>

#include "base/memory/arena.hpp"
#include "network/ids.hpp"

namespace kumi::network {

/// Keeps messages between two hosts in order where their paths differ: a message that arrives
/// before an earlier one of its pair is held back until that has been handed over. Messages are
/// known by their index in the network's pool. Plain data in an arena; O(1) a message.
class PairOrder {
   public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    void note(Arena& arena, std::uint32_t message, HostId source, HostId target);
    HostId source(std::uint32_t message) const { return x_messages[message].source; }
    HostId target(std::uint32_t message) const { return x_messages[message].target; }

    /// The message is the next one of its pair.
    void enter(Arena& arena, std::uint32_t message);
    /// The message has arrived; whether it may be handed over now.
    bool arrive(std::uint32_t message);
    /// The message is handed over. Returns the next one of its pair if that has arrived already,
    /// else kNone.
    std::uint32_t hand_over(std::uint32_t message);

   private:
    struct Message {
        HostId source = 0;
        HostId target = 0;
        std::uint32_t next = kNone;  ///< Of the pair.
        bool has_arrived = false;
    };
    /// Messages of a pair that have entered and are not handed over yet. Free if there are none.
    struct Pair {
        std::uint64_t key = 0;
        std::uint32_t first = kNone;
        std::uint32_t last = kNone;
    };

    static std::uint64_t key_of(const Message& message) {
        return std::uint64_t{message.source} << 32 | message.target;
    }
    std::uint32_t home(std::uint64_t key) const {
        return static_cast<std::uint32_t>((key * 0x9e3779b97f4a7c15ULL) >> 32) & (x_slots - 1);
    }
    /// The place of the pair, or the free one where it belongs.
    std::uint32_t find(std::uint64_t key) const;
    void erase(std::uint32_t slot);
    void grow(Arena& arena);

    Message* x_messages = nullptr;
    std::uint32_t x_capacity = 0;
    Pair* x_pairs = nullptr;  ///< Linear probing.
    std::uint32_t x_slots = 0;
    std::uint32_t x_used = 0;
};

}  // namespace kumi::network
