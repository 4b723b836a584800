#include "conductor/streams/common_start.hpp"

#include <vector>

#include "base/rank_torus.hpp"
#include "conductor/delivery/arrivals.hpp"
#include "conductor/delivery/services.hpp"
#include "conductor/delivery/start_packet.hpp"
#include "conductor/ranks/rank_states.hpp"
#include "conductor/ranks/scheduling.hpp"

namespace kumi::conductor {
namespace {

using endpoint::StartPacket;
using endpoint::Synchroniser;

/// Of a packet of a synchronisation, which arrives as it was sent also over links with errors.
std::uint64_t bytes_on_links(const ConductorState& state, network::HostId from,
                             network::HostId to) {
    const std::uint64_t size_bytes = state.collectives->packet_bytes;
    if (state.bit_errors == nullptr) return size_bytes;
    return state.bit_errors->exact_bytes_on_links(*state.network, from, to, size_bytes);
}

/// The rank enters the present round of a synchronisation at its clock.
void enter_round(ConductorState& state, std::uint32_t rank, StartMember& member) {
    StartGroup& group = *member.group;
    const RankTorus torus({group.sides, group.sides + group.rounds});
    const Synchroniser::Label label = member.synchroniser.label();
    const network::Network& network = *state.network;
    const network::HostId from = state.slot(rank).host;
    std::vector<StartPacket> packets;
    for (std::uint32_t i = 1; i < torus.side(label.round); ++i) {
        const std::uint32_t place = torus.moved(member.place, label.round, i);
        const std::uint32_t target = group.rank_at[place];
        const network::HostId to = state.slot(target).host;
        if (!network.connects(from, to))
            return state.condemn(VerdictKind::kNoRoute, rank, static_cast<std::int32_t>(target),
                                 "their hosts are not connected");
        const std::uint64_t size_bytes = bytes_on_links(state, from, to);
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
        ++group.account.totals.packets;
        send_now(
            state,
            prepare_start(state, rank, packet.target, target, farthest - packet.latency, label),
            /*is_request=*/false);
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
    return slot.held.may_answer ||
           (state.keeps_in_time(rank) && slot.endpoint.first_complete != endpoint::kNone);
}

}  // namespace

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
        member.start = *end + state.collectives->jitter.error(rank, slot.seldom.common_starts++);
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

}  // namespace kumi::conductor
