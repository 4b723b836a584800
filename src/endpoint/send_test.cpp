#include "endpoint/send.hpp"

#include <gtest/gtest.h>

namespace kumi::endpoint {
namespace {

const Parameters kParameters{.eager_limit_bytes = 100, .control_bytes = 64};

TEST(Departure, OfAnEagerMessageIsAllOfIt) {
    const Departure departure(kParameters, 100, 100);
    EXPECT_FALSE(departure.is_requested);
    EXPECT_FALSE(departure.is_awaited);
    EXPECT_EQ(departure.envelope_bytes, 100U);
}

TEST(Departure, OfALargerMessageIsARequestToSendWhoseEndIsAwaited) {
    const Departure departure(kParameters, 101, 100);
    EXPECT_TRUE(departure.is_requested);
    EXPECT_TRUE(departure.is_awaited);
    EXPECT_EQ(departure.envelope_bytes, 64U);

    Head head{.size_bytes = 101};
    departure.announce(head, 7);
    EXPECT_EQ(head.kind, HeadKind::kRequestToSend);
    EXPECT_EQ(head.origin_request, 7U);
    EXPECT_EQ(head.size_bytes, 101U);
}

TEST(Departure, KeepsToTheLimitThatAHintHasRaised) {
    EXPECT_FALSE(Departure(kParameters, 101, 200).is_requested);
}

TEST(Departure, OfAnEagerMessageIsAwaitedIfSendsAreCompleteDelivered) {
    Parameters parameters = kParameters;
    parameters.sends_complete_delivered = true;
    const Departure departure(parameters, 100, 100);
    EXPECT_TRUE(departure.is_awaited);

    Head head;
    departure.announce(head, 7);
    EXPECT_EQ(head.kind, HeadKind::kEager);
    EXPECT_EQ(head.origin_request, 7U);
}

}  // namespace
}  // namespace kumi::endpoint
