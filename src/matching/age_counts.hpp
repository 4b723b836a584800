#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "matching/steps.hpp"

namespace kumi::matching {

/// Which ages the entries of a list have: a bit for each, and sums of bits by which those before a
/// given one are counted in O(log n). Plain data in memory of the caller's.
template <class Steps = UncountedSteps>
class AgeCounts {
   public:
    bool exists() const { return x_words != nullptr; }

    /// For ages below `room`, a multiple of 64. No entry has any.
    template <class Memory>
    void create(Memory& memory, std::uint32_t room) {
        x_word_count = room / 64;
        x_words = static_cast<std::uint64_t*>(memory.allocate(bytes()));
        x_sums = reinterpret_cast<std::uint32_t*>(x_words + x_word_count);
        clear();
    }
    template <class Memory>
    void release(Memory& memory) {
        if (exists()) memory.release(x_words, bytes());
        *this = {};
    }
    void clear() {
        std::fill_n(x_words, x_word_count, 0);
        std::fill_n(x_sums, x_word_count, 0);
    }

    bool has_room(std::uint32_t age) const { return age / 64 < x_word_count; }
    void add(std::uint32_t age) {
        x_words[age / 64] |= std::uint64_t{1} << age % 64;
        change_sums(age / 64, 1);
    }
    void remove(std::uint32_t age) {
        x_words[age / 64] &= ~(std::uint64_t{1} << age % 64);
        change_sums(age / 64, ~std::uint32_t{0});
    }
    /// The number of entries that have this age or a smaller one.
    std::uint64_t count(std::uint32_t age) const {
        std::uint64_t up_to = static_cast<std::uint64_t>(
            std::popcount(x_words[age / 64] & ~std::uint64_t{0} >> (63 - age % 64)));
        for (std::uint32_t at = age / 64; at > 0; at &= at - 1, Steps::step())
            up_to += x_sums[at - 1];
        return up_to;
    }

   private:
    std::size_t bytes() const {
        return x_word_count * (sizeof(std::uint64_t) + sizeof(std::uint32_t));
    }
    // A Fenwick tree: the sum numbered n, from 1 on, is of as many words up to the n-th as n's
    // lowest bit says.
    void change_sums(std::uint32_t word, std::uint32_t by) {
        for (std::uint32_t at = word + 1; at <= x_word_count; at += at & -at, Steps::step())
            x_sums[at - 1] += by;
    }

    std::uint64_t* x_words = nullptr;
    std::uint32_t* x_sums = nullptr;
    std::uint32_t x_word_count = 0;
};

}  // namespace kumi::matching
