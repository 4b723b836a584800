#include "transport/outstanding.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace kumi::transport {
namespace {

using List = Asked::List;

/// A context that stands for a number, as far from the next one as requests of an MPI library are.
void* context_of(std::uint64_t number, std::uint64_t apart = 400) {
    return reinterpret_cast<void*>(number * apart);
}

Asked receive_of(std::uint32_t call, std::uint32_t request) {
    Asked asked{.context = context_of(request), .request = request, .list = List::kReceives};
    asked.is_receive = true;
    asked.in_list.call = call;
    return asked;
}

std::uint32_t add(Outstanding& outstanding, const Asked& asked) {
    const std::uint32_t number = outstanding.make();
    outstanding[number] = asked;
    outstanding.add(number);
    return number;
}

std::vector<std::uint32_t> started_by(Outstanding& outstanding, std::uint32_t call) {
    std::vector<std::uint32_t> requests;
    outstanding.visit_call(call, [&](const Asked& asked) { requests.push_back(asked.request); });
    return requests;
}

TEST(Outstanding, ACallFindsWhatItHasStarted) {
    Outstanding outstanding;
    Asked send = receive_of(3, 11), silent = receive_of(3, 12), other = receive_of(3, 13);
    send.is_receive = false;
    send.list = List::kSends;
    silent.wants_completion = false;
    other.list = List::kOthers;
    add(outstanding, receive_of(2, 9));
    for (const Asked& asked : {send, receive_of(3, 10), silent, other}) add(outstanding, asked);
    EXPECT_EQ(started_by(outstanding, 3), (std::vector<std::uint32_t>{10, 11}));
    EXPECT_EQ(started_by(outstanding, 2), (std::vector<std::uint32_t>{9}));
    EXPECT_TRUE(started_by(outstanding, 4).empty());
    EXPECT_EQ(outstanding.oldest(List::kReceives)->request, 9U);
    EXPECT_EQ(outstanding.oldest(List::kSends)->request, 11U);
    EXPECT_EQ(outstanding.find_receive(context_of(13))->request, 13U);
    EXPECT_EQ(outstanding.find_receive(context_of(11)), nullptr) << "that is a send";
}

TEST(Outstanding, OfSeveralReceivesWithOneContextTheOldestIsFound) {
    Outstanding outstanding;
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t request = 0; request < 300; ++request) {
        Asked asked = receive_of(1, request);
        asked.context = nullptr;
        numbers.push_back(add(outstanding, asked));
        if (request != 100) continue;
        EXPECT_EQ(outstanding.find_receive(nullptr)->request, 0U);
    }
    for (std::uint32_t request = 0; request < 300; ++request) {
        ASSERT_EQ(outstanding.find_receive(nullptr)->request, request);
        outstanding.remove(numbers[request]);
    }
    EXPECT_EQ(outstanding.find_receive(nullptr), nullptr);
}

/// Whatever is added and removed, in any order, each call finds what a list would find.
RC_GTEST_PROP(Outstanding, IsAPlainList, ()) {
    struct Entry {
        std::uint32_t call, request, number;
    };
    Outstanding outstanding;
    std::vector<Entry> entries;
    std::uint32_t call = 1, request = 0;
    const auto oldest_with = [&](auto&& holds) {
        const auto place = std::ranges::find_if(entries, holds);
        return place == entries.end() ? endpoint::kNone : place->request;
    };
    const auto adds = *rc::gen::container<std::vector<std::uint8_t>>(
        *rc::gen::inRange(0, 500), rc::gen::arbitrary<std::uint8_t>());
    for (const std::uint8_t what : adds) {
        call += what % 4 == 0 ? 1U << what % 11 : 0;
        if (what % 3 != 0 || entries.empty()) {
            const Asked asked = receive_of(call, request);
            entries.push_back({call, request++, add(outstanding, asked)});
        } else {
            const auto place = entries.begin() + what % static_cast<int>(entries.size());
            outstanding.remove(place->number);
            entries.erase(place);
        }
        std::vector<std::uint32_t> expected;
        const std::uint32_t asked = entries.empty() ? call : entries[what % entries.size()].call;
        for (const Entry& entry : entries)
            if (entry.call == asked) expected.push_back(entry.request);
        RC_ASSERT(started_by(outstanding, asked) == expected);
        const Asked* oldest = outstanding.oldest(List::kReceives);
        RC_ASSERT((oldest == nullptr ? endpoint::kNone : oldest->request) ==
                  oldest_with([](const Entry&) { return true; }));
        if (what < 200) continue;  // Contexts are indexed at some time, or never.
        const Asked* found = outstanding.find_receive(context_of(what));
        RC_ASSERT((found == nullptr ? endpoint::kNone : found->request) ==
                  oldest_with([&](const Entry& entry) { return entry.request == what; }));
    }
}

/// Calls of a loop: each posts one receive and does `stride` - 1 other things.
TEST(Outstanding, FindsEachOfManyInAFewSteps) {
    constexpr std::uint32_t kMany = 65'536;
    for (const std::uint32_t stride : {1, 2, 3, 64, 1000, 65'536}) {
        Outstanding outstanding;
        for (std::uint32_t i = 0; i < kMany; ++i) add(outstanding, receive_of(1 + i * stride, i));
        for (std::uint32_t i = kMany; i > 0; --i) {
            ASSERT_EQ(started_by(outstanding, 1 + (i - 1) * stride).size(), 1U);
            ASSERT_NE(outstanding.find_receive(context_of(i - 1)), nullptr);
        }
        EXPECT_LE(outstanding.steps(), 10U * kMany) << stride;
    }
}

TEST(Outstanding, FindsContextsInAFewStepsHoweverFarApart) {
    constexpr std::uint32_t kMany = 65'536;
    for (const std::uint64_t apart : {1, 16, 64, 128, 400, 1000, 4096, 1 << 16, 1 << 20}) {
        Outstanding outstanding;
        for (std::uint32_t i = 0; i < kMany; ++i) {
            Asked asked = receive_of(1, i);
            asked.context = context_of(i, apart);
            add(outstanding, asked);
        }
        for (std::uint32_t i = 0; i < kMany; ++i)
            ASSERT_EQ(outstanding.find_receive(context_of(i, apart))->request, i);
        EXPECT_LE(outstanding.steps(), 10U * kMany) << apart;
    }
}

}  // namespace
}  // namespace kumi::transport
