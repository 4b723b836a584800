#include "schedule/check/step_message.hpp"

#include <algorithm>

#include "collectives/watching_program.hpp"
#include "schedule/work_watch.hpp"

namespace kumi::schedule {
namespace {

/// Collects what the ranks of a pattern send.
class SendSink final : public collectives::WatchingProgram {
   public:
    SendSink(std::uint32_t rank, std::uint32_t ranks, std::vector<StepMessage>& messages)
        : collectives::WatchingProgram(rank, ranks), x_messages(messages) {}

    void send(std::uint32_t target, std::uint64_t size_bytes, std::span<const collectives::BlockId>,
              std::uint32_t) override {
        x_messages.push_back({step(), rank(), target, size_bytes});
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

}  // namespace kumi::schedule
