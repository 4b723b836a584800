#include "matching/matching_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <memory>
#include <vector>

namespace kumi {
namespace {

struct Entry : MatchingLink<Entry> {
    Pattern pattern;
    int name = 0;
};

TEST(Pattern, SourceAndTagMustAgreeUnlessWild) {
    const Envelope envelope{3, 0x15};
    EXPECT_TRUE((Pattern{3, 0x15, 0}.accepts(envelope)));
    EXPECT_FALSE((Pattern{4, 0x15, 0}.accepts(envelope)));
    EXPECT_FALSE((Pattern{3, 0x16, 0}.accepts(envelope)));
    EXPECT_TRUE((Pattern{kAnySource, 0x15, 0}.accepts(envelope)));
    EXPECT_TRUE((Pattern{3, 0x16, 0x0F}.accepts(envelope)));
    EXPECT_FALSE((Pattern{3, 0x25, 0x0F}.accepts(envelope)));
}

TEST(MatchingQueue, CountsTheEntriesItLooksAt) {
    MatchingQueue<Entry> queue;
    std::vector<Entry> entries(5);
    for (int i = 0; i < 5; ++i) {
        entries[i].name = i;
        queue.append(&entries[i]);
    }
    std::uint64_t searched = 0;
    EXPECT_EQ(queue.find([](const Entry& entry) { return entry.name == 3; }, searched),
              &entries[3]);
    EXPECT_EQ(searched, 4U);
    EXPECT_EQ(queue.find([](const Entry& entry) { return entry.name == 9; }, searched), nullptr);
    EXPECT_EQ(searched, 9U);
}

/// Against MPI's rule as a plain list says it: the oldest posted receive that accepts the envelope.
RC_GTEST_PROP(MatchingQueue, FindsTheOldestMatchOfAPlainList, ()) {
    MatchingQueue<Entry> queue;
    std::vector<std::unique_ptr<Entry>> owned;
    std::deque<Entry*> model;
    const int steps = *rc::gen::inRange(0, 200);
    for (int step = 0; step < steps; ++step) {
        const auto source = *rc::gen::inRange<std::uint32_t>(0, 4);
        const auto tag = *rc::gen::inRange<std::uint64_t>(0, 4);
        if (*rc::gen::arbitrary<bool>()) {
            owned.push_back(std::make_unique<Entry>());
            Entry* entry = owned.back().get();
            entry->name = step;
            entry->pattern = {*rc::gen::arbitrary<bool>() ? kAnySource : source, tag,
                              *rc::gen::element<std::uint64_t>(0, 1, 3)};
            queue.append(entry);
            model.push_back(entry);
            continue;
        }
        const Envelope envelope{source, tag};
        const auto accepts = [&](const Entry& entry) { return entry.pattern.accepts(envelope); };
        std::uint64_t searched = 0;
        Entry* found = queue.find(accepts, searched);
        Entry* expected = nullptr;
        std::uint64_t looked_at = 0;
        for (Entry* entry : model) {
            ++looked_at;
            if (!accepts(*entry)) continue;
            expected = entry;
            break;
        }
        RC_ASSERT(found == expected);
        RC_ASSERT(searched == looked_at);
        if (found == nullptr) continue;
        queue.remove(found);
        std::erase(model, found);
        RC_ASSERT(queue.size() == model.size());
    }
    RC_ASSERT(queue.oldest() == (model.empty() ? nullptr : model.front()));
}

}  // namespace
}  // namespace kumi
