#pragma once

#include <cstdint>

namespace kumi::inline base {

/// A cache line that the simulation never writes after it was made: if it changes, a program has
/// written into the memory around it. Plain data in the segment.
class alignas(64) GuardLine {
   public:
    constexpr bool is_whole() const {
        for (const std::uint64_t word : x_words)
            if (word != kWord) return false;
        return true;
    }

   private:
    /// Any number but zero, to which memory is set most often.
    static constexpr std::uint64_t kWord = 0x6B756D6967617264;

    std::uint64_t x_words[8] = {kWord, kWord, kWord, kWord, kWord, kWord, kWord, kWord};
};

}  // namespace kumi::inline base
