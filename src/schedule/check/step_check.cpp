#include "schedule/check/step_check.hpp"

#include <algorithm>
#include <string>

#include "schedule/schedule_builder.hpp"

namespace kumi::schedule {
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
