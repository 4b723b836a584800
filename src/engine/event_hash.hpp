#pragma once

#include <bit>
#include <cstdint>

#include "engine/event_key.hpp"

namespace kumi::engine {

/// Rolling hash of executed events: two runs agree if and only if (but for chance) it agrees.
class EventHash {
   public:
    constexpr void mix(const EventKey& key) {
        // Three products at once, so that each event has but one in the chain of all events.
        mix_word(static_cast<std::uint64_t>(key.time.ps) * 0xbf58476d1ce4e5b9ULL +
                 std::rotl(key.class_and_source * 0x94d049bb133111ebULL, 21) +
                 std::rotl(key.source_sequence * 0xd6e8feb86659fd93ULL, 42));
    }

    /// For whatever else a run executes in a fixed order.
    constexpr void mix_word(std::uint64_t word) {
        // The multiply spreads low bits upwards, the shift brings them down again.
        x_value = (x_value ^ word) * 0x9e3779b97f4a7c15ULL;
        x_value ^= x_value >> 32;
    }

    constexpr std::uint64_t value() const { return x_value; }

   private:
    std::uint64_t x_value = 0x6b756d6968696d6fULL;  // "kumihimo"
};

}  // namespace kumi::engine
