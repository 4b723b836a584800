#include "schedule/joined_schedule.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/schedule_builder.hpp"
#include "schedule/work_watch.hpp"

namespace kumi::schedule {
namespace {

/// Writes the parts of one rank, one after the other.
class RankJoiner {
   public:
    explicit RankJoiner(ScheduleBuilder& builder) : x_builder(builder) {}

    void append(const Schedule& schedule, std::uint32_t rank, bool in_kernel) {
        if (in_kernel) append_hint(/*begins=*/true);
        append_operations(schedule, rank);
        if (in_kernel) append_hint(/*begins=*/false);
    }

   private:
    void append_hint(bool begins) {
        const std::uint32_t hint = x_builder.add(Operation::in_kernel(begins));
        for (const std::uint32_t end : x_ends) x_builder.require(hint, end);
        x_ends = {hint};
    }

    void append_operations(const Schedule& schedule, std::uint32_t rank) {
        const auto operations = schedule.operations_of(rank);
        if (operations.empty()) return;
        join_ends();
        std::vector<bool> waits(operations.size()), is_awaited(operations.size());
        std::uint32_t first = 0;
        for (std::size_t index = 0; index < operations.size(); ++index) {
            Operation operation = operations[index];
            if (operation.has(traits::kApproximate))
                operation.allow_errors(
                    x_builder.content(schedule.errors()->contents[operation.content()]));
            const std::uint32_t added = x_builder.add(operation);
            if (index == 0) first = added;
        }
        for (std::uint32_t index = 0; index < operations.size(); ++index) {
            for (const Successor after : schedule.successors(rank, index)) {
                waits[after.operation()] = true;
                if (!after.on_start()) is_awaited[index] = true;
                x_builder.depend(first + after.operation(), first + index, after.on_start());
            }
        }
        for (std::uint32_t index = 0; index < operations.size(); ++index) {
            if (waits[index]) continue;
            for (const std::uint32_t end : x_ends) x_builder.require(first + index, end);
        }
        x_ends.clear();
        for (std::uint32_t index = 0; index < operations.size(); ++index)
            if (!is_awaited[index]) x_ends.push_back(first + index);
        WorkWatch::count(operations.size());
    }

    /// Many after many would take as many dependences as there are pairs.
    void join_ends() {
        if (x_ends.size() < 2) return;
        const std::uint32_t joint = x_builder.add(Operation::compute({}));
        for (const std::uint32_t end : x_ends) x_builder.require(joint, end);
        x_ends = {joint};
    }

    ScheduleBuilder& x_builder;
    std::vector<std::uint32_t> x_ends;  ///< For whose ends nothing waits yet.
};

/// What one part says of exact messages holds for those of all.
void join_errors(ScheduleBuilder& builder, const Schedule& part) {
    if (part.errors() == nullptr) return;
    const bool protects_exact = part.errors()->protects_exact;
    if (builder.errors() && builder.errors()->protects_exact != protects_exact)
        throw ScheduleError(
            "schedules whose exact messages are protected and unprotected cannot be joined");
    builder.allow_errors(protects_exact);
}

}  // namespace

Schedule join_schedules(std::span<const SchedulePart> parts) {
    if (parts.empty()) throw ScheduleError("there is no schedule to join");
    const std::uint32_t ranks = parts.front().schedule->ranks();
    for (const SchedulePart& part : parts) {
        if (part.schedule->ranks() == ranks) continue;
        throw ScheduleError("schedules of " + std::to_string(ranks) + " and of " +
                            std::to_string(part.schedule->ranks()) + " ranks cannot be joined");
    }
    ScheduleBuilder builder(ranks);
    for (const SchedulePart& part : parts) {
        join_errors(builder, *part.schedule);
        builder.count_recorded_order(part.schedule->recorded_order());
    }
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        builder.begin_rank(rank);
        RankJoiner joiner(builder);
        for (const SchedulePart& part : parts) joiner.append(*part.schedule, rank, part.in_kernel);
    }
    return builder.finish();
}

}  // namespace kumi::schedule
