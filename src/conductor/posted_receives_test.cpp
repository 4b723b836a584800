#include "conductor/posted_receives.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

namespace kumi {
namespace {

constexpr std::size_t kArenaBytes = std::size_t{1} << 20;

/// The oldest that accepts a message gets it, however many there are.
RC_GTEST_PROP(PostedReceives, AgreesWithAVector, ()) {
    const std::unique_ptr<void, decltype(&std::free)> memory{std::aligned_alloc(64, kArenaBytes),
                                                             std::free};
    std::fill_n(static_cast<std::byte*>(memory.get()), kArenaBytes, std::byte{0});
    Arena* arena = Arena::create(memory.get(), kArenaBytes, false);
    PostedReceives receives;
    std::vector<PostedReceive> model;
    const auto count = *rc::gen::inRange<std::size_t>(0, 200);
    for (std::size_t i = 0; i < count; ++i) {
        model.push_back({.source = *rc::gen::element(0U, 1U, PostedReceive::kAnySource),
                         .is_needed = *rc::gen::element(0U, 1U),
                         .tag = *rc::gen::inRange<std::uint64_t>(0, 4),
                         .ignore = *rc::gen::element<std::uint64_t>(0, 2)});
        receives.add(*arena, model.back());
    }
    const auto messages = *rc::gen::inRange<std::size_t>(1, 250);
    for (std::size_t i = 0; i < messages; ++i) {
        Message message;
        message.source = *rc::gen::inRange<std::uint32_t>(0, 3);
        message.tag = *rc::gen::inRange<std::uint64_t>(0, 4);
        const auto found = std::ranges::find_if(model, [&](const PostedReceive& receive) {
            const bool is_source =
                receive.source == PostedReceive::kAnySource || receive.source == message.source;
            return is_source && (receive.tag | receive.ignore) == (message.tag | receive.ignore);
        });
        const PostedReceives::Search search = receives.give(message);
        RC_ASSERT(search.found == (found != model.end()));
        const auto searched = found - model.begin() + (search.found ? 1 : 0);
        RC_ASSERT(search.searched == static_cast<std::uint32_t>(searched));
        if (search.found) model.erase(found);
        const auto needed = std::ranges::count(model, 1U, &PostedReceive::is_needed);
        RC_ASSERT(receives.needed() == static_cast<std::uint32_t>(needed));
    }
    receives.clear();
    RC_ASSERT(receives.needed() == 0U);
    RC_ASSERT(receives.give(Message{}).searched == 0U);
}

}  // namespace
}  // namespace kumi
