#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "matching/steps.hpp"

namespace kumi::matching {

/// Which ages the entries of a list have: a bit for each, and sums of bits by which those before a
/// given one are counted in O(log n). A view of memory that belongs to the list.
///
/// The sums (a Fenwick tree over words) are kept only from the first count on that needs them:
/// most runs count nothing.
template <class Steps = UncountedSteps>
class LiveAges {
   public:
    /// `room` is a multiple of 64. `has_sums` says whether the sums are kept.
    LiveAges(void* memory, std::uint32_t room, bool& has_sums)
        : x_words(static_cast<std::uint64_t*>(memory)),
          x_sums(reinterpret_cast<std::uint32_t*>(x_words + room / 64)),
          x_room_words(room / 64),
          x_has_sums(has_sums) {}
    /// Of that memory: a multiple of 8.
    static constexpr std::size_t bytes(std::uint32_t room) {
        const std::size_t words = room / 64;
        return words * sizeof(std::uint64_t) + (words + words % 2) * sizeof(std::uint32_t);
    }

    void clear_all() {
        std::fill_n(x_words, x_room_words, 0);
        x_has_sums = false;
    }
    bool has(std::uint32_t age) const { return (x_words[age / 64] >> (age % 64) & 1) != 0; }
    void add(std::uint32_t age) {
        x_words[age / 64] |= bit(age);
        if (x_has_sums) change_sums(age / 64, 1);
    }
    void remove(std::uint32_t age) {
        x_words[age / 64] &= ~bit(age);
        if (x_has_sums) change_sums(age / 64, ~std::uint32_t{0});
    }
    /// The first live age that is not before `age`; there must be one.
    std::uint32_t first_from(std::uint32_t age) const {
        std::uint32_t word = age / 64;
        for (; x_words[word] == 0; ++word) Steps::step();
        return word * 64 + static_cast<std::uint32_t>(std::countr_zero(x_words[word]));
    }
    /// Calls `use(age)` for each live age from `begin` on, up to `end`, until it returns false.
    template <class Use>
    void visit(std::uint32_t begin, std::uint32_t end, Use&& use) const {
        std::uint64_t from = ~std::uint64_t{0} << (begin % 64);
        for (std::uint32_t word = begin / 64; word * 64 < end; ++word, from = ~std::uint64_t{0}) {
            Steps::step();
            for (std::uint64_t live = x_words[word] & from; live != 0; live &= live - 1) {
                Steps::step();
                if (!use(word * 64 + static_cast<std::uint32_t>(std::countr_zero(live)))) return;
            }
        }
    }
    /// The number of live ages up to this one, before `begin` none.
    std::uint64_t count(std::uint32_t begin, std::uint32_t age) {
        const std::uint64_t up_to = ~std::uint64_t{0} >> (63 - age % 64);
        return count_before(begin / 64, age / 64) + ones(x_words[age / 64] & up_to);
    }

   private:
    /// The words of two cache lines: adding them up is quicker than looking up sums.
    static constexpr std::uint32_t kFewWords = 16;

    static std::uint64_t bit(std::uint32_t age) { return std::uint64_t{1} << (age % 64); }
    static std::uint32_t ones(std::uint64_t word) {
        return static_cast<std::uint32_t>(std::popcount(word));
    }

    std::uint64_t count_before(std::uint32_t begin, std::uint32_t end) {
        std::uint64_t before = 0;
        if (end - begin <= kFewWords) {
            for (std::uint32_t word = begin; word < end; ++word, Steps::step())
                before += ones(x_words[word]);
            return before;
        }
        if (!x_has_sums) make_sums();
        for (std::uint32_t at = end; at > 0; at &= at - 1, Steps::step()) before += x_sums[at - 1];
        return before;
    }
    // The sum numbered n, from 1 on, is of as many words up to the n-th as n's lowest bit says.
    void make_sums() {
        for (std::uint32_t at = 1; at <= x_room_words; ++at, Steps::step())
            x_sums[at - 1] = ones(x_words[at - 1]);
        for (std::uint32_t at = 1; at <= x_room_words; ++at, Steps::step()) {
            const std::uint32_t next = at + (at & -at);
            if (next <= x_room_words) x_sums[next - 1] += x_sums[at - 1];
        }
        x_has_sums = true;
    }
    void change_sums(std::uint32_t word, std::uint32_t by) {
        for (std::uint32_t at = word + 1; at <= x_room_words; at += at & -at, Steps::step())
            x_sums[at - 1] += by;
    }

    std::uint64_t* x_words;
    std::uint32_t* x_sums;
    std::uint32_t x_room_words;
    bool& x_has_sums;
};

}  // namespace kumi::matching
