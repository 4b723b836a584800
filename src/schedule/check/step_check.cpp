#include "schedule/check/step_check.hpp"

#include <algorithm>
#include <string>

#include "collectives/watching_program.hpp"
#include "schedule/schedule_builder.hpp"
#include "schedule/work_watch.hpp"

namespace kumi::schedule {
namespace {

/// Collects what the ranks of a pattern send.
class SendSink final : public collectives::WatchingProgram {
   public:
    SendSink(std::uint32_t rank, std::uint32_t ranks, std::vector<StepMessage>& messages)
        : collectives::WatchingProgram(rank, ranks), x_messages(messages) {}

    void sends(const Message& message) override {
        x_messages.push_back({step(), rank(), message.peer, message.size_bytes});
    }

   private:
    std::vector<StepMessage>& x_messages;
};

std::vector<StepMessage> by_step(std::vector<StepMessage> messages) {
    std::stable_sort(messages.begin(), messages.end(),
                     [](const auto& a, const auto& b) { return a.step < b.step; });
    return messages;
}

/// The step of each operation of a rank. A schedule has no circles.
std::vector<std::uint32_t> steps_of(const Schedule& schedule, std::uint32_t rank) {
    const auto operations = schedule.operations_of(rank);
    std::vector<std::uint32_t> steps(operations.size(), 0), waits(operations.size(), 0), ready;
    for (const Successor after : schedule.successors_of(rank)) ++waits[after.operation()];
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
        if (waits[i] == 0) ready.push_back(i);
    }
    while (!ready.empty()) {
        const std::uint32_t done = ready.back();
        ready.pop_back();
        for (const Successor after : schedule.successors(rank, done)) {
            const std::uint32_t next = after.operation();
            const bool is_later = operations[done].is_message() && !after.on_start();
            steps[next] = std::max(steps[next], steps[done] + (is_later ? 1 : 0));
            if (--waits[next] == 0) ready.push_back(next);
        }
    }
    return steps;
}

}  // namespace

std::vector<StepMessage> messages_of(const collectives::Pattern& pattern, std::uint32_t ranks) {
    std::vector<StepMessage> messages;
    messages.reserve(pattern.messages(ranks));
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const std::size_t before = messages.size();
        SendSink sink(rank, ranks, messages);
        pattern.write(sink);
        WorkWatch::count(messages.size() - before);
    }
    return by_step(std::move(messages));
}

std::vector<StepMessage> messages_of(const Schedule& schedule) {
    std::vector<StepMessage> messages;
    for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
        const auto operations = schedule.operations_of(rank);
        const std::vector<std::uint32_t> steps = steps_of(schedule, rank);
        for (std::uint32_t i = 0; i < operations.size(); ++i) {
            if (operations[i].kind != OperationKind::kSend) continue;
            messages.push_back({steps[i], rank, operations[i].peer, operations[i].amount});
        }
        WorkWatch::count(operations.size());
    }
    return by_step(std::move(messages));
}

namespace {

/// The last message on each link, and its step.
class LinkUse {
   public:
    LinkUse(const network::FabricDescription& fabric)
        : x_fabric(fabric), x_last(fabric.links.size()) {}

    void take(network::LinkId link, const StepMessage& message, StepCheck& check) {
        Use& last = x_last[link];
        const std::uint64_t step = std::uint64_t{message.step} + 1;
        const std::pair ranks{message.source, message.target};
        if (last.step == step) {
            ++check.shared_links;
            if (!check.first_shared) check.first_shared = {message.step, link, last.ranks, ranks};
        }
        last = {step, ranks};
    }

    bool is_between_switches(network::LinkId link) const {
        const network::LinkDescription& description = x_fabric.links[link];
        return description.source_vertex >= x_fabric.hosts &&
               description.target_vertex >= x_fabric.hosts;
    }

   private:
    struct Use {
        std::uint64_t step = 0;  ///< From 1; 0: never.
        std::pair<std::uint32_t, std::uint32_t> ranks{};
    };

    const network::FabricDescription& x_fabric;
    std::vector<Use> x_last;
};

}  // namespace

StepCheck check_steps(std::span<const StepMessage> messages, const network::Routing& routing,
                      const network::FabricDescription& fabric,
                      std::span<const network::HostId> hosts) {
    StepCheck check;
    check.messages = messages.size();
    check.ranks.resize(hosts.size());
    LinkUse use(fabric);
    std::vector<network::LinkId> links;
    std::optional<std::uint32_t> last_step;
    for (const StepMessage& message : messages) {
        if (last_step != message.step) ++check.steps;
        last_step = message.step;
        StepTotals& totals = check.ranks[message.source];
        ++totals.startups;
        totals.size_bytes += message.size_bytes;
        const network::HostId source = hosts[message.source];
        const network::HostId target = hosts[message.target];
        if (source == target) continue;
        routing.route(source, target, links);
        if (links.empty()) {
            throw ScheduleError("there is no path from host " + std::to_string(source) +
                                " to host " + std::to_string(target));
        }
        for (const network::LinkId link : links) {
            use.take(link, message, check);
            if (use.is_between_switches(link)) ++totals.hops;
        }
    }
    return check;
}

}  // namespace kumi::schedule
