#include "mpi/collectives/step_wakes.hpp"

#include <algorithm>

#include "conductor/port/collective_port.hpp"
#include "endpoint/send.hpp"
#include "mpi/run_link.hpp"

namespace kumi::mpi::collectives {

using namespace kumi::collectives;
namespace {

/// Links that are awake before the common start stay so for as many leads: other ranks may come
/// later.
constexpr std::int64_t kHoldLeads = 16;

bool is_requested(std::uint64_t size_bytes) {
    return endpoint::is_requested(size_bytes, run_link::eager_limit_bytes());
}

wake::AwaitedMessages moved(const wake::AwaitedMessages& messages, Duration earlier) {
    wake::AwaitedMessages result = messages;
    result.early = result.last = messages.last - earlier;
    return result;
}

}  // namespace

StepWakes::StepWakes(GroupPlan& plan, std::span<const Duration> begins, Duration lead)
    : WatchingProgram(plan.place(), plan.size()), x_plan(plan), x_begins(begins), x_lead(lead) {}

// Of a message that its target asks for, the data follow the request.
void StepWakes::sends(const Message& message) {
    const Duration lasts = x_begins[step() + 1] - x_begins[step()];
    add(message.peer, x_begins[step()], lasts, is_requested(message.size_bytes) ? 2 : 1);
}

// The target asks for the data and, when it has them, says so.
void StepWakes::receives(const Message& message) {
    if (!is_requested(message.size_bytes)) return;
    add(message.peer, x_begins[step()], x_lead, 1);
    add(message.peer, std::max(x_begins[step()], x_begins[step() + 1] - x_lead), 2 * x_lead, 1);
}

void StepWakes::add(std::uint32_t place, Duration leaves, Duration late, std::uint32_t messages) {
    x_frames.push_back({.target = x_plan.rank_at(place),
                        .count = messages,
                        .early = leaves - x_lead,
                        .last = leaves - x_lead,
                        .late = late});
}

void StepWakes::ask_before_start() {
    wake::WakeList list(run_link::shortest_sleep());
    const auto need = [&](std::uint32_t target, std::uint32_t messages, Duration late) {
        list.add({.target = target, .count = messages, .late = kHoldLeads * x_lead + late});
    };
    for (const std::uint32_t target : run_link::collectives().start_targets(x_plan.start_member()))
        need(target, 1, {});
    for (const wake::AwaitedMessages& frame : x_frames)
        if (frame.last < Duration{}) need(frame.target, frame.count, frame.late);
    run_link::wake(list.requests());
    run_link::await_links(x_lead);
}

void StepWakes::ask_after_start() {
    wake::WakeList list(run_link::shortest_sleep());
    for (const wake::AwaitedMessages& frame : x_frames)
        if (frame.last >= Duration{}) list.add(frame);
    run_link::wake_by_timer(list.requests());
}

void StepWakes::ask_at_once() {
    const Duration since_start =
        run_link::now() + run_link::wake_cost() - x_plan.start_member().start;
    wake::WakeList list(run_link::shortest_sleep());
    for (const wake::AwaitedMessages& frame : x_frames) list.add(moved(frame, since_start));
    run_link::wake(list.requests());
}

}  // namespace kumi::mpi::collectives
