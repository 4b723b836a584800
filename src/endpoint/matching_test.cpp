// Which message goes into which receive, and what finding it costs.

#include <gtest/gtest.h>

#include "endpoint/testing/loop_driver.hpp"

namespace kumi::endpoint {
namespace {

using Numbers = std::vector<std::uint32_t>;

using matching::kAnything;

class EndpointMatchingTest : public testing::Test, protected ThreeLoopRanks {
   protected:
    std::uint64_t tag_of(std::uint32_t request) { return receiver.message_of(request).head.tag; }
    std::uint64_t size_of(std::uint32_t request) {
        return receiver.message_of(request).head.size_bytes;
    }
};

TEST_F(EndpointMatchingTest, MessagesOfAPairMatchInOrderWhateverTheirSize) {
    sender.send(1, 5, 101);
    sender.send(1, 5, 20);
    const std::uint32_t first = receiver.receive({matching::kAnySource, 5, 0}, 200);
    settle();
    sender.send(1, 5, 102);
    const std::uint32_t second = receiver.receive({0, 5, 0}, 200);
    const std::uint32_t third = receiver.receive(kAnything, 200);
    settle();
    EXPECT_EQ(size_of(first), 101U);
    EXPECT_EQ(size_of(second), 20U);
    EXPECT_EQ(size_of(third), 102U);
}

TEST_F(EndpointMatchingTest, AmongReceivesThatAcceptAMessageTheOldestGetsIt) {
    const std::uint32_t by_tag = receiver.receive({matching::kAnySource, 5, 0}, 100);
    const std::uint32_t by_source = receiver.receive({0, 5, 0}, 100);
    const std::uint32_t any = receiver.receive(kAnything, 100);
    other.send(1, 5, 1);
    sender.send(1, 5, 2);
    sender.send(1, 6, 3);
    settle();
    EXPECT_EQ(size_of(by_tag), 1U);
    EXPECT_EQ(size_of(by_source), 2U);
    EXPECT_EQ(size_of(any), 3U);
    EXPECT_EQ(receiver.completions, (Numbers{by_tag, by_source, any}));
}

TEST_F(EndpointMatchingTest, AmongMessagesThatAReceiveAcceptsItGetsTheOldest) {
    other.send(1, 4, 1);
    sender.send(1, 5, 2);
    sender.send(1, 4, 3);
    settle();
    EXPECT_EQ(size_of(receiver.receive({0, 4, 0}, 100)), 3U);
    EXPECT_EQ(size_of(receiver.receive({matching::kAnySource, 4, 1}, 100)), 1U);
    EXPECT_EQ(size_of(receiver.receive(kAnything, 100)), 2U);
}

TEST_F(EndpointMatchingTest, BitsThatAreIgnoredAreNotCompared) {
    const std::uint32_t receive = receiver.receive({0, 0xF0, 0x0F}, 100);
    sender.send(1, 0xE3, 1);
    sender.send(1, 0xF3, 1);
    settle();
    EXPECT_EQ(receiver.completions, Numbers{receive});
    EXPECT_EQ(tag_of(receive), 0xF3U);
}

TEST_F(EndpointMatchingTest, MessagesWithAndWithoutTagsDoNotMeet) {
    const std::uint32_t untagged = receiver.receive(kAnything, 100, /*tagged=*/false);
    sender.send(1, 1, 8);
    settle();
    EXPECT_TRUE(receiver.completions.empty());
    EXPECT_FALSE(receiver.protocol().look(kAnything, false, true).found);
    sender.send(1, 0, 9, /*tagged=*/false);
    settle();
    EXPECT_EQ(size_of(untagged), 9U);
    EXPECT_EQ(size_of(receiver.receive(kAnything, 100)), 8U);
}

TEST_F(EndpointMatchingTest, ALookLeavesWhatItSeesUnlessItTakesItOut) {
    EXPECT_FALSE(receiver.protocol().look({0, 5, 0}, true, true).found);
    sender.send(1, 5, 101);
    sender.send(1, 5, 102);
    settle();
    const matching::Search seen = receiver.protocol().look({0, 5, 0}, true, false);
    const matching::Search again = receiver.protocol().look({0, 5, 0}, true, false);
    const matching::Search taken = receiver.protocol().look({0, 5, 0}, true, true);
    ASSERT_TRUE(seen.found && again.found && taken.found);
    EXPECT_EQ(seen.id, again.id);
    EXPECT_EQ(seen.id, taken.id);
    EXPECT_TRUE(receiver.matches.empty());
    const std::uint32_t later = receiver.receive({0, 5, 0}, 200);
    const std::uint32_t receive = receiver.make_receive({}, 200);
    receiver.protocol().receive_taken_out(receive, taken.id);
    settle();
    EXPECT_EQ(size_of(later), 102U) << "the first one was taken out";
    EXPECT_EQ(size_of(receive), 101U);
    EXPECT_EQ(receiver.endpoint.matches, 2U);
    EXPECT_EQ(receiver.endpoint.receptions, 2U);
}

TEST_F(EndpointMatchingTest, ACancelledReceiveMatchesNothing) {
    const std::uint32_t first = receiver.receive({0, 5, 0}, 100);
    const std::uint32_t second = receiver.receive({0, 5, 0}, 100);
    EXPECT_TRUE(receiver.protocol().cancel(first));
    EXPECT_EQ(receiver.completions, Numbers{first});
    EXPECT_TRUE(network.requests[first].is_cancelled);
    EXPECT_EQ(network.requests[first].message, kNone);
    EXPECT_FALSE(receiver.protocol().cancel(first)) << "once";
    sender.send(1, 5, 8);
    settle();
    EXPECT_EQ(receiver.completions, (Numbers{first, second}));
    EXPECT_FALSE(receiver.protocol().cancel(second));
    EXPECT_FALSE(network.requests[second].is_cancelled);
    EXPECT_EQ(receiver.endpoint.receptions, 1U) << "nothing was received by the cancelled one";
}

TEST_F(EndpointMatchingTest, AReceiveWhosePayloadTravelsCannotBeCancelled) {
    receiver.holds_payloads_back = true;
    const std::uint32_t receive = receiver.receive({0, 5, 0}, 200);
    sender.send(1, 5, 101);
    settle();
    EXPECT_FALSE(receiver.protocol().cancel(receive));
    receiver.let_payload_arrive();
    settle();
    EXPECT_EQ(receiver.completions, Numbers{receive});
}

TEST_F(EndpointMatchingTest, EveryEntryThatASearchLooksAtIsPaidFor) {
    for (std::uint64_t tag = 0; tag < 3; ++tag) receiver.receive({0, tag, 0}, 100);
    EXPECT_EQ(receiver.charged, Duration{0}) << "nothing was there to be searched";
    sender.send(1, 2, 8);
    settle();
    EXPECT_EQ(receiver.charged, Duration{10'000 + 3});
    sender.send(1, 9, 8);  // looks at the two that are left
    settle();
    EXPECT_EQ(receiver.charged, Duration{10'000 + 5});
    receiver.protocol().look({0, 9, 0}, true, false);
    receiver.protocol().look({0, 8, 0}, true, false);
    EXPECT_EQ(receiver.charged, Duration{10'000 + 7});
    receiver.receive({0, 9, 0}, 8);
    EXPECT_EQ(receiver.charged, Duration{20'000 + 8});
    EXPECT_EQ(receiver.endpoint.envelopes, 2U);
    EXPECT_EQ(receiver.endpoint.matches, 2U);
    EXPECT_EQ(receiver.endpoint.receptions, 2U);
}

/// n receives, met from the back: n + (n - 1) + ... + 1 entries. As many unexpected
/// messages, received from the back: the same.
TEST_F(EndpointMatchingTest, SearchesFromTheBackCostTheSumOfAllLengths) {
    constexpr std::int64_t kCount = 200;
    constexpr std::int64_t kSum = kCount * (kCount + 1) / 2;
    for (std::uint64_t tag = 0; tag < kCount; ++tag) receiver.receive({0, tag, 0}, 8);
    for (std::uint64_t tag = kCount; tag-- > 0;) sender.send(1, tag, 8);
    settle();
    EXPECT_EQ(receiver.charged, Duration{kCount * 10'000 + kSum});
    for (std::uint64_t tag = 0; tag < kCount; ++tag) sender.send(1, tag, 101);
    settle();
    EXPECT_EQ(receiver.charged, Duration{kCount * 10'000 + kSum});
    for (std::uint64_t tag = kCount; tag-- > 0;) receiver.receive({0, tag, 0}, 101);
    settle();
    EXPECT_EQ(receiver.charged, Duration{2 * (kCount * 10'000 + kSum)});
    EXPECT_EQ(receiver.endpoint.envelopes, 2U * kCount);
    EXPECT_EQ(receiver.endpoint.matches, 2U * kCount);
    EXPECT_EQ(receiver.endpoint.receptions, 2U * kCount);
}

}  // namespace
}  // namespace kumi::endpoint
