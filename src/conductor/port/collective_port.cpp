#include "conductor/port/collective_port.hpp"

#include <algorithm>
#include <cstdio>

#include "base/check.hpp"
#include "base/rank_torus.hpp"
#include "conductor/baton/baton.hpp"
#include "conductor/delivery/services.hpp"
#include "conductor/port/memory_port.hpp"
#include "conductor/streams/carry_out.hpp"
#include "endpoint/idle_time.hpp"
#include "endpoint/service/service.hpp"

namespace kumi::conductor {

StartMember& CollectivePort::join_group(std::span<const std::uint32_t> rank_at,
                                        std::span<const std::uint32_t> sides) {
    const Visit visit(x_process);
    StartGroup& group = x_state->collectives->group_of(*x_state->arena, rank_at, sides);
    const auto place = std::ranges::find(rank_at, x_rank) - rank_at.begin();
    KUMI_ASSERT(place < std::ssize(rank_at),
                "a rank starts with a group to which it does not belong");
    return group.members[place];
}

std::vector<std::uint32_t> CollectivePort::start_targets(const StartMember& member) const {
    const StartGroup& group = *member.group;
    const RankTorus torus({group.sides, group.sides + group.rounds});
    std::vector<std::uint32_t> targets;
    for (std::uint32_t round = 0; round < group.rounds; ++round) {
        for (std::uint32_t i = 1; i < torus.side(round); ++i)
            targets.push_back(group.rank_at[torus.moved(member.place, round, i)]);
    }
    return targets;
}

bool CollectivePort::await_start(StartMember& member) {
    const Visit visit(x_process);
    synchronise();
    x_slot->start_member = &member;
    x_slot->stream.add({.kind = StreamOperation::Kind::kStart});
    x_slot->process.enter(ProcessState::kAwaitsTime);
    carry_out(*x_state, x_rank);
    end_if_condemned();
    pass_baton(*x_state, x_rank);
    MemoryPort(x_process).serve();
    return !member.synchroniser.is_inside();
}

void CollectivePort::wait_after_start(const StartMember& member, Duration after,
                                      CollectiveFunction function) {
    const Visit visit(x_process);
    synchronise();
    const Instant until = member.start + after;
    member.group->account.note_wait(x_slot->clock, until);
    if (x_slot->clock > until)
        ++x_state->collectives->counts[static_cast<std::size_t>(function)].missed;
    if (x_slot->clock >= until) return;
    idle(until - x_slot->clock);
}

Duration CollectivePort::idle_time(std::uint32_t source, std::uint32_t target,
                                   std::uint64_t size_bytes) const {
    const Visit visit(x_process);
    const network::Network& network = *x_state->network;
    const endpoint::Parameters& parameters = configuration().endpoint;
    const auto way = [&](bool is_back, std::uint64_t bytes) {
        const network::HostId from = host_of(is_back ? target : source);
        const network::HostId to = host_of(is_back ? source : target);
        const std::uint64_t link_bytes =
            x_state->bit_errors == nullptr
                ? bytes
                : BitErrors::most_bytes_on_links(network, from, to, bytes);
        return network.zero_load_time(from, to, link_bytes);
    };
    return endpoint::idle_time_between_hosts(parameters, size_bytes, way);
}

bool CollectivePort::is_call_in_kernel(StartMember& member) {
    const Visit visit(x_process);
    const bool is_inside = x_process.noted_hints().is_in_kernel();
    AgreedCalls& agreed = member.group->in_kernel;
    if (!agreed.agree(*x_state->arena, member.calls++, is_inside)) {
        char text[300];
        std::snprintf(text, sizeof text,
                      "%s: rank %u is %s the region of the hint IN_KERNEL, and another rank is %s "
                      "it at the same call; expected the hint at the same calls on all ranks, or "
                      "--collectives scheduled",
                      x_slot->call.name.text, x_rank, is_inside ? "inside" : "outside",
                      is_inside ? "outside" : "inside");
        refuse(text);
    }
    return is_inside;
}

bool CollectivePort::asks_for_connections() const {
    return x_state->services != nullptr &&
           endpoint::service::asks_for_schedules(configuration().endpoint.service);
}

void CollectivePort::connect(std::span<const std::uint32_t> targets) {
    const Visit visit(x_process);
    synchronise();
    const Instant ready = connect_for_schedule(*x_state, x_rank, targets);
    if (ready > x_slot->clock) idle(ready - x_slot->clock);
}

const StepInstants* CollectivePort::find_steps(const StartMember& member,
                                               const ScheduleKey& key) const {
    const Visit visit(x_process);
    const StepInstants* steps = member.group->steps;
    while (steps != nullptr && steps->key != key) steps = steps->next;
    return steps;
}

const StepInstants& CollectivePort::keep_steps(const StartMember& member, const ScheduleKey& key,
                                               std::span<const Duration> times,
                                               Duration wake_lead) {
    const Visit visit(x_process);
    auto* steps = x_state->arena->make<StepInstants>();
    steps->key = key;
    steps->count = static_cast<std::uint32_t>(times.size());
    steps->begins = x_state->arena->make_array<Duration>(times.size());
    steps->wake_lead = wake_lead;
    Duration begin{};
    for (std::size_t i = 0; i < times.size(); ++i) {
        steps->begins[i] = begin;
        begin += times[i] + x_state->collectives->guard;
    }
    steps->next = member.group->steps;
    member.group->steps = steps;
    return *steps;
}

void CollectivePort::note_collective(CollectiveFunction function, CollectiveChoice choice,
                                     bool begins) {
    const Visit visit(x_process);
    const std::uint32_t number = number_of(function, choice);
    using Kind = StreamOperation::Kind;
    if (put_off({.kind = begins ? Kind::kBeginCollective : Kind::kEndCollective, .number = number}))
        return;
    if (begins)
        begin_collective(*x_state, x_rank);
    else
        end_collective(*x_state, x_rank, number);
}

}  // namespace kumi::conductor
