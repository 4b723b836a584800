#include "schedule/patterns/step_times.hpp"

#include <algorithm>

#include "collectives/watching_program.hpp"
#include "endpoint/idle_time.hpp"
#include "network/zero_load.hpp"
#include "schedule/schedule_builder.hpp"
#include "schedule/work_watch.hpp"

namespace kumi::schedule {
namespace {

/// Spreads every bit over all others.
std::uint64_t scrambled(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15ULL;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
}

/// A message as a part of a sum, which does not depend on order: equal sets of messages have equal
/// sums.
std::uint64_t summand(std::uint64_t step, std::uint32_t source, std::uint32_t target,
                      std::uint32_t tag) {
    const std::uint64_t mixed = scrambled(std::uint64_t{source} << 32 | target);
    return scrambled(mixed ^ scrambled(step << 32 | tag));
}

/// Keeps the longest time of each step.
class StepTimeSink final : public collectives::WatchingProgram {
   public:
    /// `messages` is the sum of those that are sent, less that of those that are received.
    StepTimeSink(std::uint32_t rank, std::uint32_t ranks, const MessageTime& time,
                 std::vector<Duration>& times, std::uint64_t& messages)
        : WatchingProgram(rank, ranks), x_time(time), x_times(times), x_messages(messages) {}

    void sends(const Message& message) override {
        x_messages += summand(step(), rank(), message.peer, message.tag);
        note(x_time(rank(), message.peer, message.size_bytes));
    }
    void receives(const Message& message) override {
        x_messages -= summand(step(), message.peer, rank(), message.tag);
        note({});
    }

   private:
    void note(Duration time) {
        if (x_times.size() <= step()) x_times.resize(step() + 1);
        x_times[step()] = std::max(x_times[step()], time);
    }

    const MessageTime& x_time;
    std::vector<Duration>& x_times;
    std::uint64_t& x_messages;
};

}  // namespace

std::vector<Duration> step_times(const collectives::Pattern& pattern, std::uint32_t ranks,
                                 const MessageTime& time) {
    std::vector<Duration> times;
    std::uint64_t messages = 0;
    const std::uint64_t each = 2 * pattern.messages(ranks) / ranks;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        StepTimeSink sink(rank, ranks, time, times, messages);
        pattern.write(sink);
        WorkWatch::count(each);
    }
    if (messages == 0) return times;
    throw ScheduleError(
        "ranks do not have the same steps: a message is sent in another step than it is received");
}

Duration MessageTimes::on_the_way(std::uint32_t source, std::uint32_t target,
                                  std::uint64_t size_bytes) const {
    const network::HostId from = x_parameters.rank_hosts[source],
                          to = x_parameters.rank_hosts[target];
    std::vector<network::LinkId> path;
    if (from != to) x_routing.route(from, to, path);
    return network::zero_load_time(x_fabric, path, size_bytes);
}

Duration MessageTimes::operator()(std::uint32_t source, std::uint32_t target,
                                  std::uint64_t size_bytes) const {
    const auto way = [&](bool is_back, std::uint64_t bytes) {
        return is_back ? on_the_way(target, source, bytes) : on_the_way(source, target, bytes);
    };
    if (x_parameters.rank_hosts[source] == x_parameters.rank_hosts[target])
        return endpoint::idle_time(x_parameters.endpoint, size_bytes, way);
    return endpoint::idle_time_between_hosts(x_parameters.endpoint, size_bytes, way);
}

}  // namespace kumi::schedule
