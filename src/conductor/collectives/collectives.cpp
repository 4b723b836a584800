#include "conductor/collectives/collectives.hpp"

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
        x_changes = arena.enlarge(x_changes, x_count, x_room, room);
        x_room = room;
    }
    x_changes[x_count++] = call;
}

Collectives::Collectives(Arena& arena, const CollectiveSettings& settings)
    : sides(arena.copy_of<std::uint32_t>(settings.sides)),
      dimensions(static_cast<std::uint32_t>(settings.sides.size())),
      is_torus(settings.is_torus),
      packet_bytes(settings.packet_bytes),
      rule(settings.rule),
      guard(settings.guard),
      wakes_for_steps(settings.wakes_for_steps),
      in_kernel_only(settings.in_kernel_only),
      jitter(settings.jitter, settings.seed) {}

StartGroup& Collectives::group_of(Arena& arena, std::span<const std::uint32_t> rank_at,
                                  std::span<const std::uint32_t> group_sides) {
    for (StartGroup* group = groups; group != nullptr; group = group->next) {
        if (std::ranges::equal(std::span(group->rank_at, group->size), rank_at) &&
            std::ranges::equal(std::span(group->sides, group->rounds), group_sides))
            return *group;
    }
    auto* group = arena.make<StartGroup>();
    group->size = static_cast<std::uint32_t>(rank_at.size());
    group->rounds = static_cast<std::uint32_t>(group_sides.size());
    group->sides = arena.copy_of(group_sides);
    group->rank_at = arena.copy_of(rank_at);
    group->members = arena.make_array<StartMember>(group->size);
    group->account.totals.rounds = group->rounds;
    const std::size_t each = std::size_t{2} * group->rounds;
    auto* counters = arena.make_array<endpoint::StartCounter>(each * group->size);
    for (std::uint32_t place = 0; place < group->size; ++place) {
        StartMember& member = group->members[place];
        member.group = group;
        member.place = place;
        member.synchroniser = endpoint::Synchroniser({counters + place * each, each});
    }
    group->next = groups;
    groups = group;
    return *group;
}

endpoint::StartTotals Collectives::totals() const {
    endpoint::StartTotals all;
    for (const StartGroup* group = groups; group != nullptr; group = group->next) {
        const endpoint::StartTotals& one = group->account.totals;
        all.rounds = std::max(all.rounds, one.rounds);
        all.synchronisations += one.synchronisations;
        all.packets += one.packets;
        all.time += one.time;
        all.largest_skew = std::max(all.largest_skew, one.largest_skew);
        all.waits += one.waits;
        all.missed += one.missed;
        all.largest_lateness = std::max(all.largest_lateness, one.largest_lateness);
    }
    return all;
}

}  // namespace kumi::conductor
