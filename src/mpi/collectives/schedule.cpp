#include "mpi/collectives/schedule.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "collectives/scheme.hpp"
#include "collectives/watching_program.hpp"
#include "conductor/port/collective_port.hpp"
#include "mpi/collectives/message_program.hpp"
#include "mpi/collectives/step_wakes.hpp"
#include "mpi/wake/session.hpp"

namespace kumi::mpi::collectives {

using namespace kumi::collectives;
namespace {

/// Ranks wait for one lead before a schedule that wakes links. It must last for as many.
constexpr std::int64_t kLongInLeads = 16;

/// What is found out of a schedule.
struct Measured {
    std::vector<Duration> times;  ///< How long each step lasts.
    Duration wake_lead{};         ///< Of all messages, the longest one; 0 if links take no frames.

    Duration total() const { return std::accumulate(times.begin(), times.end(), Duration{}); }
};

/// A step lasts as long as its longest message. One that shares a link with others lasts as if it
/// had the bytes of all of them.
class TimedProgram final : public WatchingProgram {
   public:
    TimedProgram(const GroupPlan& plan, std::uint32_t place, const Sharing& sharing,
                 Measured& found)
        : WatchingProgram(place, plan.size()), x_plan(plan), x_sharing(sharing), x_found(found) {}

    void sends(const Message& message) override {
        const std::uint64_t together = step() < x_sharing.size() ? x_sharing[step()] : 1;
        const std::uint32_t from = x_plan.rank_at(rank()), to = x_plan.rank_at(message.peer);
        if (step() >= x_found.times.size()) x_found.times.resize(step() + 1);
        Duration& time = x_found.times[step()];
        time = std::max(time,
                        run_link::collectives().idle_time(from, to, together * message.size_bytes));
        if (!run_link::collectives().wakes_for_steps()) return;
        const Duration lead =
            std::max(run_link::wake_lead_between(from, to), run_link::wake_lead_between(to, from));
        x_found.wake_lead = std::max(x_found.wake_lead, lead);
    }

   private:
    const GroupPlan& x_plan;
    const Sharing& x_sharing;
    Measured& x_found;
};

/// To which ranks of the run the messages go, each once.
class TargetsProgram final : public WatchingProgram {
   public:
    explicit TargetsProgram(const GroupPlan& plan)
        : WatchingProgram(plan.place(), plan.size()), x_plan(plan) {}

    void sends(const Message& message) override {
        const std::uint32_t rank = x_plan.rank_at(message.peer);
        if (std::ranges::find(x_targets, rank) == x_targets.end()) x_targets.push_back(rank);
    }
    std::span<const std::uint32_t> targets() const { return x_targets; }

   private:
    const GroupPlan& x_plan;
    std::vector<std::uint32_t> x_targets;
};

}  // namespace

void ask_for_connections(const GroupPlan& plan, const Way& way) {
    if (!run_link::collectives().asks_for_connections()) return;
    TargetsProgram program(plan);
    way.write(program);
    run_link::collectives().connect(program.targets());
}

Schedule schedule_of(GroupPlan& plan, const ScheduleKey& key, const Way& way) {
    conductor::StartMember& member = plan.start_member();
    conductor::CollectivePort& port = run_link::collectives();
    const conductor::StepInstants* steps = port.find_steps(member, key);
    if (steps == nullptr) {
        Measured found;
        for (std::uint32_t place = 0; place < plan.size(); ++place) {
            TimedProgram program(plan, place, way.sharing, found);
            way.write(program);
        }
        const bool is_long = found.total() >= kLongInLeads * found.wake_lead;
        found.times.emplace_back();  // What begins then is all that follows.
        steps = &port.keep_steps(member, key, found.times, is_long ? found.wake_lead : Duration{});
    }
    return {&way, {steps->begins, steps->count}, steps->wake_lead};
}

Schedule fastest_of(GroupPlan& plan, CollectiveFunction function, std::uint64_t size_bytes,
                    std::span<const Way> ways) {
    Schedule best;
    for (const Way& way : ways) {
        const Schedule found = schedule_of(plan, {function, size_bytes, way.variant}, way);
        if (best.way == nullptr || found.begins.back() < best.begins.back()) best = found;
    }
    return best;
}

int carry_out(GroupPlan& plan, CollectiveFunction function, const Schedule& schedule,
              MessageData& data) {
    ask_for_connections(plan, *schedule.way);
    StepWakes wakes(plan, schedule.begins, schedule.wake_lead);
    const bool wakes_links = schedule.wake_lead > Duration{};
    if (wakes_links) {
        wake::others_announce_rest();
        schedule.way->write(wakes);
        wakes.ask_before_start();
    }
    MessageProgram program(plan, function, data);
    SchemedProgram schemed(program, Scheme::kClock, schedule.begins);
    if (wakes_links) wakes.ask_after_start();
    schedule.way->write(schemed);
    return program.error();
}

}  // namespace kumi::mpi::collectives
