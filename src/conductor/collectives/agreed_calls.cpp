#include "conductor/collectives/agreed_calls.hpp"

#include <algorithm>

namespace kumi::conductor {

bool AgreedCalls::agree(Arena& arena, std::uint64_t call, bool answer) {
    if (call < x_known) return answer_to(call) == answer;
    x_known = call + 1;
    if (answer != last_answer()) add_change(arena, call);
    return true;
}

bool AgreedCalls::answer_to(std::uint64_t call) const {
    const std::uint64_t* after = std::upper_bound(x_changes, x_changes + x_count, call);
    return (after - x_changes) % 2 == 1;
}

void AgreedCalls::add_change(Arena& arena, std::uint64_t call) {
    if (x_count == x_room) {
        const std::uint32_t room = std::max(std::uint32_t{8}, 2 * x_room);
        auto* larger = arena.make_array<std::uint64_t>(room);
        std::copy_n(x_changes, x_count, larger);
        x_changes = larger;
        x_room = room;
    }
    x_changes[x_count++] = call;
}

}  // namespace kumi::conductor
