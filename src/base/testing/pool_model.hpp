#pragma once

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace kumi::inline base {

/// Takes objects of a pool and gives them back at random, and compares it with a map after each
/// step: `is_fresh(object)`, `set(object, value)` and `has(object, value)` are about one of them.
template <class AnyPool, class IsFresh, class Set, class Has>
void expect_set_of_numbers(AnyPool& pool, IsFresh&& is_fresh, Set&& set, Has&& has) {
    std::map<std::uint32_t, std::uint64_t> live;
    const auto steps = *rc::gen::container<std::vector<std::pair<bool, std::uint64_t>>>(
        rc::gen::arbitrary<std::pair<bool, std::uint64_t>>());
    for (const auto& [is_release, value] : steps) {
        if (is_release && !live.empty()) {
            auto victim = live.begin();
            std::advance(victim, value % live.size());
            pool.release(victim->first);
            live.erase(victim);
        } else {
            const std::uint32_t number = pool.acquire();
            RC_ASSERT(is_fresh(pool.at(number)));
            RC_ASSERT(live.emplace(number, value).second);
            set(pool.at(number), value);
        }
        RC_ASSERT(pool.live() == live.size());
        for (const auto& [number, kept] : live) RC_ASSERT(has(pool.at(number), kept));
    }
}

}  // namespace kumi::inline base
