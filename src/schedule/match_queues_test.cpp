#include "schedule/match_queues.hpp"

#include <algorithm>
#include <vector>

#include "schedule/schedules_under_test.hpp"

namespace kumi {
namespace {

/// Queues of two ranks beside plain vectors that are searched from the start.
class QueuesUnderTest {
   public:
    explicit QueuesUnderTest(bool keeps_order) : x_keeps_order(keeps_order) {
        x_queues.create(2, keeps_order);
    }

    void append(std::uint32_t rank, std::uint32_t source, std::uint32_t tag) {
        const MatchEntry entry{source, tag, static_cast<std::uint32_t>(x_next.size())};
        x_next.push_back(MatchQueues::kNone);
        x_queues.append(rank, entry,
                        [&](std::uint32_t last, std::uint32_t added) { x_next[last] = added; });
        x_model[rank].push_back(entry);
    }

    void take(std::uint32_t rank, std::uint32_t source, std::uint32_t tag) {
        const auto accepts = [&](const MatchEntry& entry) {
            return entry.source == source && (tag == kAnyTag || entry.tag == tag);
        };
        auto& model = x_model[rank];
        const auto found = std::find_if(model.begin(), model.end(), accepts);
        const std::uint32_t expected = found == model.end() ? MatchQueues::kNone : found->number;
        const auto looked_at =
            static_cast<std::uint64_t>(found - model.begin()) + (found == model.end() ? 0 : 1);
        if (found != model.end()) model.erase(found);
        std::uint64_t searched = 0;
        const auto next = [&](std::uint32_t number) { return x_next[number]; };
        RC_ASSERT(x_queues.take(rank, source, tag, accepts, next, searched) == expected);
        if (x_keeps_order) RC_ASSERT(searched == looked_at);
    }

   private:
    bool x_keeps_order;
    MatchQueues x_queues;
    std::vector<std::uint32_t> x_next;
    std::vector<MatchEntry> x_model[2];
};

void check_against_vectors(bool keeps_order) {
    rc::check("against vectors", [keeps_order] {
        const auto steps = *rc::gen::resize(1000, rc::gen::arbitrary<std::vector<std::uint8_t>>());
        QueuesUnderTest queues(keeps_order);
        const auto adding = *rc::gen::inRange(1, 4);
        for (const std::uint8_t step : steps) {
            const std::uint32_t rank = step % 2, source = step / 2 % 5, tag = step / 10 % 2;
            if (step / 20 % 4 < adding) {
                queues.append(rank, source, tag);
            } else {
                queues.take(rank, source, keeps_order && step % 7 == 0 ? kAnyTag : tag);
            }
        }
    });
}

TEST(MatchQueues, AreVectorsIfOrderCounts) { check_against_vectors(true); }
TEST(MatchQueues, FindTheOldestOfAKeyIfOrderDoesNotCount) { check_against_vectors(false); }

}  // namespace
}  // namespace kumi
