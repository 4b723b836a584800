#include "network/routing/pair_order.hpp"

#include <algorithm>
#include <bit>

namespace kumi::network {

constexpr std::uint32_t kFewest = 64;

void PairOrder::note(Arena& arena, std::uint32_t message, HostId source, HostId target) {
    if (message >= x_capacity) {
        const std::uint32_t wanted = std::max(kFewest, std::bit_ceil(message + 1));
        x_messages = arena.enlarge(x_messages, x_capacity, x_capacity, wanted);
        x_capacity = wanted;
    }
    x_messages[message] = {source, target, kNone, false};
}

void PairOrder::enter(Arena& arena, std::uint32_t message) {
    if (2 * (x_used + 1) > x_slots) grow(arena);
    const std::uint64_t key = key_of(x_messages[message]);
    Pair& pair = x_pairs[find(key)];
    if (pair.first == kNone) {
        pair = {key, message, message};
        ++x_used;
        return;
    }
    x_messages[pair.last].next = message;
    pair.last = message;
}

bool PairOrder::arrive(std::uint32_t message) {
    x_messages[message].has_arrived = true;
    return x_pairs[find(key_of(x_messages[message]))].first == message;
}

std::uint32_t PairOrder::hand_over(std::uint32_t message) {
    const std::uint32_t slot = find(key_of(x_messages[message]));
    Pair& pair = x_pairs[slot];
    KUMI_ASSERT(pair.first == message, "a message is handed over before an earlier one");
    pair.first = x_messages[message].next;
    if (pair.first == kNone) {
        erase(slot);
        return kNone;
    }
    return x_messages[pair.first].has_arrived ? pair.first : kNone;
}

std::uint32_t PairOrder::find(std::uint64_t key) const {
    std::uint32_t slot = home(key);
    while (x_pairs[slot].first != kNone && x_pairs[slot].key != key) {
        slot = (slot + 1) & (x_slots - 1);
    }
    return slot;
}

/// Moves up the pairs behind, so that none is cut off from its home.
void PairOrder::erase(std::uint32_t slot) {
    const std::uint32_t mask = x_slots - 1;
    std::uint32_t hole = slot;
    for (std::uint32_t next = (hole + 1) & mask; x_pairs[next].first != kNone;
         next = (next + 1) & mask) {
        const std::uint32_t from_home = (next - home(x_pairs[next].key)) & mask;
        if (from_home < ((next - hole) & mask)) continue;
        x_pairs[hole] = x_pairs[next];
        hole = next;
    }
    x_pairs[hole] = {};
    --x_used;
}

void PairOrder::grow(Arena& arena) {
    Pair* old = x_pairs;
    const std::uint32_t old_slots = x_slots;
    x_slots = old_slots == 0 ? kFewest : 2 * old_slots;
    x_pairs = arena.make_array<Pair>(x_slots);
    for (std::uint32_t slot = 0; slot < old_slots; ++slot) {
        if (old[slot].first != kNone) x_pairs[find(old[slot].key)] = old[slot];
    }
    if (old != nullptr) arena.release(old, sizeof(Pair) * old_slots);
}

}  // namespace kumi::network
