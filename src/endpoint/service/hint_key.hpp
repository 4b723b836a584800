#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

/// What a program tells its service.
namespace kumi::endpoint::service {

enum class HintKey : std::uint8_t {
    kInKernel = 0,      ///< 1: a region begins that takes most of the time; 0: it ends.
    kRepeated = 1,      ///< 1: communication begins that will be repeated; 0: it ends.
    kMemoryBudget = 2,  ///< Bytes above which the rank asks for no more connections.
};
inline constexpr std::uint8_t kHintKeys = 3;
/// What programs and schedules call them, by their numbers.
inline constexpr std::array<std::string_view, kHintKeys> kHintNames{"IN_KERNEL", "REPEATED",
                                                                    "MEMORY_BUDGET"};

/// Nothing if there is no such key.
constexpr std::optional<HintKey> hint_key_of(std::string_view name) {
    for (std::uint8_t number = 0; number < kHintKeys; ++number)
        if (kHintNames[number] == name) return static_cast<HintKey>(number);
    return std::nullopt;
}

/// A hint in one word. Budgets count in KiB and are rounded down, on the way, too: the same in
/// programs and schedules.
struct Hint {
    HintKey key = HintKey::kInKernel;
    std::uint64_t value = 0;

    static constexpr std::uint64_t kBudgetUnit = 1024;
    static constexpr std::uint64_t kMostBudget = (std::uint64_t{1} << 28) * kBudgetUnit;

    /// Whether the key has such a value.
    constexpr bool is_possible() const {
        return key == HintKey::kMemoryBudget ? value > 0 && value <= kMostBudget : value <= 1;
    }
    constexpr std::uint32_t packed() const {
        const std::uint64_t small = key == HintKey::kMemoryBudget ? value / kBudgetUnit : value;
        return static_cast<std::uint32_t>(small << 2 | static_cast<std::uint64_t>(key));
    }
    static constexpr Hint unpacked(std::uint32_t word) {
        const auto key = static_cast<HintKey>(word & 3);
        const std::uint64_t small = word >> 2;
        return {key, key == HintKey::kMemoryBudget ? small * kBudgetUnit : small};
    }
};

}  // namespace kumi::endpoint::service
