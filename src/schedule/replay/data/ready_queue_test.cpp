#include "schedule/replay/data/ready_queue.hpp"

#include <set>

#include "schedule/testing/schedules_under_test.hpp"

namespace kumi::schedule {
namespace {

TEST(ReadyQueue, GivesTheSmallestWhateverTheOrderOfPushes) {
    rc::check("against std::set", [](const std::vector<std::uint8_t>& steps) {
        ReadyQueue queue;
        std::set<ReadyOperation> model;
        std::uint32_t number = 0;
        for (const std::uint8_t step : steps) {
            if (step % 3 != 0) {
                const ReadyOperation added{Instant{step}, number++};
                queue.push(added);
                model.insert(added);
            } else if (!model.empty()) {
                RC_ASSERT(queue.pop() == *model.begin());
                model.erase(model.begin());
            }
            RC_ASSERT(queue.empty() == model.empty());
        }
    });
}

}  // namespace
}  // namespace kumi::schedule
