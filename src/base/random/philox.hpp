#pragma once

#include <array>
#include <cstdint>

namespace kumi::inline base {

/// Philox4x32-10 [Salmon11]: a block of 128 random bits as a function of a counter and a key.
/// Blocks of different counters or keys look independent, so that any of them can be had without
/// those before.
struct Philox {
    using Counter = std::array<std::uint32_t, 4>;
    using Key = std::array<std::uint32_t, 2>;

    static constexpr Counter block(Counter counter, Key key) {
        for (int round = 0; round < kRounds; ++round) {
            const std::uint64_t first = std::uint64_t{kMultipliers[0]} * counter[0];
            const std::uint64_t third = std::uint64_t{kMultipliers[1]} * counter[2];
            counter = {high(third) ^ counter[1] ^ key[0], low(third),
                       high(first) ^ counter[3] ^ key[1], low(first)};
            key = {key[0] + kKeySteps[0], key[1] + kKeySteps[1]};
        }
        return counter;
    }

   private:
    static constexpr int kRounds = 10;
    static constexpr std::uint32_t kMultipliers[2] = {0xD2511F53, 0xCD9E8D57};
    /// The golden ratio, and the square root of three less one.
    static constexpr std::uint32_t kKeySteps[2] = {0x9E3779B9, 0xBB67AE85};

    static constexpr std::uint32_t high(std::uint64_t word) {
        return static_cast<std::uint32_t>(word >> 32);
    }
    static constexpr std::uint32_t low(std::uint64_t word) {
        return static_cast<std::uint32_t>(word);
    }
};

}  // namespace kumi::inline base
