#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

/// What a program may pass to its service.
namespace kumi::endpoint::service {

enum class HintKey : std::uint8_t {
    kInKernel = 0,      ///< 1: a region begins that takes most of the time; 0: it ends.
    kRepeated = 1,      ///< 1: communication begins that will be repeated; 0: it ends.
    kMemoryBudget = 2,  ///< Bytes above which the rank asks for no more connections.
    kEager = 3,         ///< Bytes up to which its messages are eager from here on; 0: as before.
    kInitDone = 4,      ///< 1: what memory is left below the budget may become connections.
};
inline constexpr std::uint8_t kHintKeys = 5;
/// What programs and schedules call them, by their numbers.
inline constexpr std::array<std::string_view, kHintKeys> kHintNames{
    "IN_KERNEL", "REPEATED", "MEMORY_BUDGET", "EAGER", "INIT_DONE"};

/// Nothing if there is no such key.
constexpr std::optional<HintKey> hint_key_of(std::string_view name) {
    for (std::uint8_t number = 0; number < kHintKeys; ++number)
        if (kHintNames[number] == name) return static_cast<HintKey>(number);
    return std::nullopt;
}

/// Whether its value is a number of bytes.
constexpr bool is_size(HintKey key) {
    return key == HintKey::kMemoryBudget || key == HintKey::kEager;
}

/// A hint in one word. Sizes count in KiB and are rounded down, on the way, too: the same in
/// programs and schedules.
struct Hint {
    HintKey key = HintKey::kInKernel;
    std::uint64_t value = 0;

    static constexpr std::uint64_t kSizeUnit = 1024;
    static constexpr std::uint64_t kMostSize = (std::uint64_t{1} << 28) * kSizeUnit;

    /// Whether the key has such a value.
    constexpr bool is_possible() const {
        if (key == HintKey::kInitDone) return value == 1;
        if (key == HintKey::kMemoryBudget && value == 0) return false;
        return value <= (is_size(key) ? kMostSize : 1);
    }
    constexpr std::uint32_t packed() const {
        const std::uint64_t small = is_size(key) ? value / kSizeUnit : value;
        return static_cast<std::uint32_t>(small << 3 | static_cast<std::uint64_t>(key));
    }
    static constexpr Hint unpacked(std::uint32_t word) {
        const auto key = static_cast<HintKey>(word & 7);
        const std::uint64_t small = word >> 3;
        return {key, is_size(key) ? small * kSizeUnit : small};
    }
    /// In whole KiB.
    constexpr std::uint64_t size_bytes() const { return value / kSizeUnit * kSizeUnit; }
};

}  // namespace kumi::endpoint::service
