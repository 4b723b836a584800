#include "engine/event_key.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace kumi::engine {
namespace {

constexpr EventKey key(std::int64_t time_ps, EventClass event_class, std::uint32_t source,
                       std::uint64_t sequence) {
    return EventKey::of(Instant{time_ps}, event_class, source, sequence);
}

TEST(EventKey, GivesBackWhatItWasMadeOf) {
    const EventKey made = key(5, EventClass::kForward, 0xFFFFFFFF, 9);
    EXPECT_EQ(made.time, Instant{5});
    EXPECT_EQ(made.event_class(), EventClass::kForward);
    EXPECT_EQ(made.source_id(), 0xFFFFFFFF);
    EXPECT_EQ(made.source_sequence, 9U);
}

TEST(EventKey, OrdersByTimeThenClassThenSourceThenSequence) {
    const EventKey ascending[] = {
        key(1, EventClass::kInjection, 9, 9), key(2, EventClass::kArrival, 0, 9),
        key(2, EventClass::kForward, 3, 9),   key(2, EventClass::kForward, 4, 0),
        key(2, EventClass::kForward, 4, 1),   key(2, EventClass::kInjection, 0, 0),
    };
    for (std::size_t i = 1; i < std::size(ascending); ++i) {
        EXPECT_LT(ascending[i - 1], ascending[i]) << i;
    }
}

RC_GTEST_PROP(EventKey, PrecedesIsLessThan, ()) {
    const auto few = rc::gen::inRange<std::uint32_t>(0, 3);
    const auto any = rc::gen::construct<EventKey>(
        rc::gen::construct<Instant>(rc::gen::inRange<std::int64_t>(-2, 3)),
        rc::gen::arbitrary<std::uint64_t>(), rc::gen::cast<std::uint64_t>(few));
    const EventKey a = *any;
    EventKey b = *any;
    if (*rc::gen::arbitrary<bool>()) b.class_and_source = a.class_and_source;
    RC_ASSERT(precedes(a, b) == (a < b));
    RC_ASSERT(precedes(b, a) == (b < a));
    RC_ASSERT(!precedes(a, a));
}

TEST(EventHash, DependsOnEveryFieldAndOnOrder) {
    const auto hash_of = [](std::initializer_list<EventKey> keys) {
        EventHash hash;
        for (const EventKey& each : keys) hash.mix(each);
        return hash.value();
    };
    const EventKey base = key(1, EventClass::kArrival, 2, 3);
    const std::uint64_t expected = hash_of({base});
    EXPECT_EQ(hash_of({base}), expected);
    EXPECT_NE(hash_of({key(2, EventClass::kArrival, 2, 3)}), expected);
    EXPECT_NE(hash_of({key(1, EventClass::kForward, 2, 3)}), expected);
    EXPECT_NE(hash_of({key(1, EventClass::kArrival, 3, 3)}), expected);
    EXPECT_NE(hash_of({key(1, EventClass::kArrival, 2, 4)}), expected);
    const EventKey other = key(1, EventClass::kArrival, 2, 4);
    EXPECT_NE(hash_of({base, other}), hash_of({other, base}));
    EXPECT_NE(hash_of({}), expected);
}

}  // namespace
}  // namespace kumi::engine
