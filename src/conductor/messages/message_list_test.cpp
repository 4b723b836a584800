#include "conductor/messages/message_list.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "base/testing/arena_for_tests.hpp"

namespace kumi::conductor {
namespace {

constexpr std::uint32_t kMessages = 12;
constexpr std::size_t kArenaBytes = std::size_t{1} << 23;
// Numbers of cache lines in that, and outside of it.
constexpr std::uint32_t kLast = kArenaBytes / 64;
constexpr std::uint32_t kFarAway = 0x7FFFFFFF;

class MessageListTest : public testing::Test {
   protected:
    ArenaForTests arena{kArenaBytes};
    LinePool<Message> messages{&*arena};
    Inbox inbox;
    std::vector<std::uint32_t> model;

    void append(std::uint32_t index) {
        inbox.append(messages, index);
        model.push_back(index);
    }
    std::vector<std::uint32_t> forwards() const {
        std::vector<std::uint32_t> found;
        for (auto at = inbox.first; at != kNoMessage; at = messages.at(at).next)
            found.push_back(at);
        return found;
    }
    std::vector<std::uint32_t> backwards() const {
        std::vector<std::uint32_t> found;
        for (auto at = inbox.last; at != kNoMessage; at = messages.at(at).previous)
            found.insert(found.begin(), at);
        return found;
    }
};

RC_GTEST_FIXTURE_PROP(MessageListTest, AgreesWithAVector, ()) {
    for (std::uint32_t i = 0; i < kMessages; ++i) append(messages.acquire());
    for (const bool appends : *rc::gen::arbitrary<std::vector<bool>>()) {
        if (!model.empty() && !appends) {
            const auto index = *rc::gen::elementOf(model);
            RC_ASSERT(inbox.remove(messages, index));
            model.erase(std::find(model.begin(), model.end(), index));
        } else if (*rc::gen::arbitrary<bool>() && model.size() < kMessages) {
            const auto place = *rc::gen::inRange<std::size_t>(0, model.size() + 1);
            const std::uint32_t index = messages.acquire();
            RC_ASSERT(inbox.insert(messages, index, place == 0 ? kNoMessage : model[place - 1]));
            model.insert(model.begin() + static_cast<std::ptrdiff_t>(place), index);
        } else if (model.size() < kMessages) {
            append(messages.acquire());
        }
        RC_ASSERT(forwards() == model);
        RC_ASSERT(backwards() == model);
        RC_ASSERT(inbox.empty() == model.empty());
    }
}

/// Whatever one message says of its neighbours: it leaves only if they agree.
RC_GTEST_FIXTURE_PROP(MessageListTest, ADamagedLinkIsFound, ()) {
    const auto length = *rc::gen::inRange<std::uint32_t>(1, 4);
    for (std::uint32_t i = 0; i < length; ++i) append(messages.acquire());
    const auto damaged = *rc::gen::elementOf(model);
    const std::uint32_t unlisted = messages.acquire();
    const auto wrong = *rc::gen::oneOf(rc::gen::elementOf(model),
                                       rc::gen::element(unlisted, kFarAway, kNoMessage));
    auto& link =
        *rc::gen::arbitrary<bool>() ? messages.at(damaged).next : messages.at(damaged).previous;
    RC_PRE(link != wrong);
    link = wrong;
    const std::vector<std::uint32_t> before{inbox.first, inbox.last};
    RC_ASSERT_FALSE(inbox.remove(messages, damaged));
    RC_ASSERT((std::vector<std::uint32_t>{inbox.first, inbox.last}) == before);
}

RC_GTEST_FIXTURE_PROP(MessageListTest, LookingThroughStopsWhenTold, ()) {
    const auto length = *rc::gen::inRange<std::uint32_t>(1, kMessages);
    for (std::uint32_t i = 0; i < length; ++i) append(messages.acquire());
    const auto enough = *rc::gen::inRange<std::size_t>(1, 2 * kMessages);
    std::vector<std::uint32_t> seen;
    RC_ASSERT(inbox.look_through(messages, [&](std::uint32_t index, const Message&) {
        seen.push_back(index);
        return seen.size() == enough;
    }));
    model.resize(std::min(enough, model.size()));
    RC_ASSERT(seen == model);
}

/// Links that lead anywhere, also round in circles: looking comes to an end, and sees none twice.
RC_GTEST_FIXTURE_PROP(MessageListTest, LookingThroughDamageEnds, ()) {
    for (std::uint32_t i = 0; i < kMessages; ++i) append(messages.acquire());
    const auto anything =
        rc::gen::oneOf(rc::gen::elementOf(model), rc::gen::inRange<std::uint32_t>(0, 2 * kLast),
                       rc::gen::element(kFarAway, kNoMessage));
    const auto flaws = *rc::gen::inRange(1, 10);
    for (int i = 0; i < flaws; ++i) {
        Message& damaged = messages.at(*rc::gen::elementOf(model));
        (*rc::gen::arbitrary<bool>() ? damaged.next : damaged.previous) = *anything;
    }
    std::vector<std::uint32_t> seen;
    const bool is_whole = inbox.look_through(messages, [&](std::uint32_t index, const Message&) {
        seen.push_back(index);
        return false;
    });
    if (is_whole) RC_ASSERT(messages.at(seen.back()).next == kNoMessage);
    std::sort(seen.begin(), seen.end());
    RC_ASSERT(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
}

}  // namespace
}  // namespace kumi::conductor
