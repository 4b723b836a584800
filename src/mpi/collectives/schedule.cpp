#include "mpi/collectives/schedule.hpp"

#include <algorithm>
#include <vector>

#include "collectives/scheme.hpp"
#include "mpi/collectives/message_program.hpp"

namespace kumi::mpi::collectives {
namespace {

/// Finds out how long each step lasts: as long as its longest message. One that shares a link with
/// others lasts as if it had the bytes of all of them.
class TimedProgram final : public RankProgram {
   public:
    TimedProgram(const GroupPlan& plan, std::uint32_t place, const Sharing& sharing,
                 std::vector<Duration>& times)
        : RankProgram(place, plan.size()), x_plan(plan), x_sharing(sharing), x_times(times) {}

    bool wants_blocks() const override { return false; }
    void send(std::uint32_t target, std::uint64_t size_bytes, std::span<const BlockId>,
              std::uint32_t) override {
        const std::uint64_t together = x_step < x_sharing.size() ? x_sharing[x_step] : 1;
        if (x_step >= x_times.size()) x_times.resize(x_step + 1);
        x_times[x_step] = std::max(
            x_times[x_step], run_link::idle_time(x_plan.rank_at(rank()), x_plan.rank_at(target),
                                                 together * size_bytes));
    }
    void receive(std::uint32_t, std::uint64_t, std::span<const BlockId>, std::uint32_t) override {}
    void receive_and_add(std::uint32_t, std::uint64_t, std::span<const BlockId>,
                         std::uint32_t) override {}
    void next_step() override { ++x_step; }
    void synchronise() override {}
    void wait_until(Duration) override {}

   private:
    const GroupPlan& x_plan;
    const Sharing& x_sharing;
    std::vector<Duration>& x_times;
    std::uint32_t x_step = 0;
};

}  // namespace

std::span<const Duration> begins_of(GroupPlan& plan, const ScheduleKey& key, const Way& way) {
    StartMember& member = plan.start_member();
    const auto known = run_link::find_steps(member, key);
    if (!known.empty()) return known;
    std::vector<Duration> times;
    for (std::uint32_t place = 0; place < plan.size(); ++place) {
        TimedProgram program(plan, place, way.sharing, times);
        way.write(program);
    }
    times.emplace_back();  // What begins then is all that follows.
    return run_link::keep_steps(member, key, times);
}

Schedule fastest_of(GroupPlan& plan, CollectiveFunction function, std::uint64_t size_bytes,
                    std::span<const Way> ways) {
    Schedule best;
    for (const Way& way : ways) {
        const auto begins = begins_of(plan, {function, size_bytes, way.variant}, way);
        if (best.way == nullptr || begins.back() < best.begins.back()) best = {&way, begins};
    }
    return best;
}

int carry_out(GroupPlan& plan, CollectiveFunction function, const Schedule& schedule,
              MessageData& data) {
    MessageProgram program(plan, function, data);
    SchemedProgram schemed(program, Scheme::kClock, schedule.begins);
    schedule.way->write(schemed);
    return program.error();
}

}  // namespace kumi::mpi::collectives
