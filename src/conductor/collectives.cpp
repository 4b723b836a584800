#include "conductor/collectives.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "conductor/inbox.hpp"
#include "conductor/rank_endpoint.hpp"
#include "conductor/rank_states.hpp"
#include "conductor/running_ahead.hpp"
#include "conductor/scheduling.hpp"
#include "conductor/state.hpp"

namespace kumi {
namespace {

using endpoint::StartPacket;
using endpoint::Synchroniser;

template <class Type>
Type* copied(Arena& arena, std::span<const Type> values) {
    Type* copy = arena.make_array<Type>(values.size());
    std::ranges::copy(values, copy);
    return copy;
}

std::uint64_t word_of(Synchroniser::Label label) {
    return std::uint64_t{label.round} << 1 | (label.is_odd ? 1 : 0);
}

void send_start(ConductorState& state, std::uint32_t rank, const StartPacket& packet,
                StartMember& target, Duration farthest, Synchroniser::Label label) {
    const std::uint32_t index = state.messages.acquire();
    Message& message = state.messages.at(index);
    message.source = rank;
    message.target = packet.target;
    message.kind = MessageKind::kControl;
    message.size_bytes = state.collectives->packet_bytes;
    message.head.kind = endpoint::HeadKind::kStart;
    message.head.tag = word_of(label);
    message.head.data = static_cast<std::uint64_t>((farthest - packet.latency).ps);
    message.head.address = reinterpret_cast<std::uint64_t>(&target);
    ++target.group->account.totals.packets;
    send_now(state, index, /*is_request=*/false);
}

/// Of a packet of a synchronisation, which arrives as it was sent also over links with errors.
std::uint64_t bytes_on_wire(const ConductorState& state, HostId from, HostId to) {
    const std::uint64_t size_bytes = state.collectives->packet_bytes;
    if (state.bit_errors == nullptr) return size_bytes;
    return state.bit_errors->exact_bytes_on_wire(*state.network, from, to, size_bytes);
}

/// The rank enters the present round of a synchronisation at its clock.
void enter_round(ConductorState& state, std::uint32_t rank, StartMember& member) {
    StartGroup& group = *member.group;
    const endpoint::StartGroups grid({group.sides, group.sides + group.rounds});
    const Synchroniser::Label label = member.synchroniser.label();
    const Network& network = *state.network;
    const HostId from = state.slot(rank).host;
    std::vector<StartPacket> packets;
    for (std::uint32_t i = 1; i <= grid.others(label.round); ++i) {
        const std::uint32_t place = grid.member(member.place, label.round, i);
        const std::uint32_t target = group.rank_at[place];
        const HostId to = state.slot(target).host;
        if (!network.connects(from, to))
            return state.condemn(VerdictKind::kNoRoute, rank, static_cast<std::int32_t>(target),
                                 "their hosts are not connected");
        const std::uint64_t size_bytes = bytes_on_wire(state, from, to);
        packets.push_back({.target = place,
                           .latency = network.zero_load_time(from, to, size_bytes),
                           .injection = network.injection_time(from, to, size_bytes),
                           .stays_on_host = from == to});
    }
    const Duration farthest = endpoint::put_in_order(packets);
    member.synchroniser.enter(state.slot(rank).clock, farthest, state.collectives->rule);
    for (StartPacket& packet : packets) {
        StartMember& target = group.members[packet.target];
        packet.target = group.rank_at[packet.target];
        send_start(state, rank, packet, target, farthest, label);
    }
}

/// The rank's clock moves on to `when`, unless it is there.
void wait_for(ConductorState& state, std::uint32_t rank, Instant when) {
    RankSlot& slot = state.slot(rank);
    if (when <= slot.clock) return;
    enter_state(state, rank, RankState::kWait);
    slot.clock = when;
    enter_state(state, rank, RankState::kCommunication);
}

/// Whether the process should let its MPI library go on before it waits any longer.
bool has_to_answer(const ConductorState& state, std::uint32_t rank) {
    const RankSlot& slot = state.ranks[rank];
    return slot.may_answer ||
           (state.keeps_in_time(rank) && slot.endpoint.first_complete != endpoint::kNone);
}

}  // namespace

Collectives::Collectives(Arena& arena, const CollectiveSettings& settings)
    : sides(copied<std::uint32_t>(arena, settings.sides)),
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
    group->sides = copied(arena, group_sides);
    group->rank_at = copied(arena, rank_at);
    group->members = arena.make_array<StartMember>(group->size);
    group->account.totals.rounds = group->rounds;
    const std::size_t each = std::size_t{2} * group->rounds;
    auto* counters = arena.make_array<endpoint::StartCounter>(each * group->size);
    for (std::uint32_t place = 0; place < group->size; ++place) {
        StartMember& member = group->members[place];
        member.group = group;
        member.place = place;
        member.synchroniser = Synchroniser({counters + place * each, each});
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

bool await_start(ConductorState& state, std::uint32_t rank, bool begins) {
    RankSlot& slot = state.slot(rank);
    StartMember& member = *slot.start_member;
    StartGroup& group = *member.group;
    Synchroniser& synchroniser = member.synchroniser;
    const auto present_round_ends = [&] {
        return synchroniser.leave_round(group.sides[synchroniser.label().round] - 1);
    };
    if (!begins) {
        enter_state(state, rank, RankState::kCommunication);
        look_at_arrivals(state, rank);
    } else if (!synchroniser.is_inside()) {
        group.account.note_entry(synchroniser.label().is_odd, slot.clock);
        enter_round(state, rank, member);
    }
    bool is_odd = synchroniser.label().is_odd;
    const Instant before = slot.clock;
    while (const auto end = present_round_ends()) {
        if (synchroniser.is_inside()) {
            wait_for(state, rank, *end);
            enter_round(state, rank, member);
            continue;
        }
        member.start = *end + state.collectives->jitter.error(rank, slot.common_starts++);
        wait_for(state, rank, member.start);
        group.account.note_start(is_odd, group.size, slot.clock);
        if (slot.clock == before) return true;
        make_runnable(state, rank);
        return false;
    }
    if (has_to_answer(state, rank)) return true;
    begin_wait(state, rank);
    if (begins && !slot.inbox.empty()) make_runnable(state, rank);
    return false;
}

void hear_start(ConductorState& state, std::uint32_t index) {
    const Message& message = state.messages.at(index);
    auto* member = reinterpret_cast<StartMember*>(message.head.address);
    KUMI_ASSERT(state.arena->contains(member, sizeof(StartMember)),
                "a packet of a synchronisation is for no member of a group");
    member->synchroniser.hear(
        {static_cast<std::uint32_t>(message.head.tag >> 1), (message.head.tag & 1) != 0},
        message.arrived, Duration{static_cast<std::int64_t>(message.head.data)});
    discard(state, index);
}

void begin_collective(ConductorState& state, std::uint32_t rank) {
    RankSlot& slot = state.slot(rank);
    slot.collective_begin = slot.clock;
}

void end_collective(ConductorState& state, std::uint32_t rank, std::uint32_t number) {
    const RankSlot& slot = state.slot(rank);
    CollectiveCounts& counts = state.collectives->counts[number / kCollectiveChoices];
    ++counts.calls[number % kCollectiveChoices];
    counts.time[number % kCollectiveChoices] += slot.clock - slot.collective_begin;
}

}  // namespace kumi
