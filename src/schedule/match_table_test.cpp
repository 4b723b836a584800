#include "schedule/match_table.hpp"

#include <deque>
#include <map>
#include <vector>

#include "schedule/schedules_under_test.hpp"

namespace kumi {
namespace {

TEST(MatchTable, BehavesAsAMapOfQueues) {
    rc::check("against std::map", [] {
        MatchTable table;
        std::map<std::uint32_t, std::deque<std::uint32_t>> model;
        std::vector<std::uint32_t> next(2000, MatchTable::kNone);
        const auto steps = *rc::gen::inRange<std::uint32_t>(0, 2000);
        const auto keys = *rc::gen::inRange<std::uint32_t>(1, 300);
        for (std::uint32_t step = 0; step < steps; ++step) {
            const std::uint32_t name = (step * 7919U + keys * 13U) % keys;
            const MatchKey key{name / 7, name % 7, name % 3};
            auto& queue = model[name];
            RC_ASSERT(table.first(key) == (queue.empty() ? MatchTable::kNone : queue.front()));
            if (step % 5 < 3 || queue.empty()) {
                table.append(key, step,
                             [&](std::uint32_t last, std::uint32_t added) { next[last] = added; });
                queue.push_back(step);
            } else {
                const auto following = [&](std::uint32_t number) { return next[number]; };
                RC_ASSERT(table.take_first(key, following) == queue.front());
                queue.pop_front();
            }
        }
        for (const auto& [name, queue] : model) {
            const MatchKey key{name / 7, name % 7, name % 3};
            RC_ASSERT(table.first(key) == (queue.empty() ? MatchTable::kNone : queue.front()));
        }
    });
}

}  // namespace
}  // namespace kumi
