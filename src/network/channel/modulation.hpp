#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kumi::network {

/// How bits become symbols: equidistant levels, symmetric about zero, on one axis or, for square
/// QAM, on two that are alike and independent. Levels are Gray-mapped: neighbours differ in one
/// bit.
struct Modulation {
    std::string_view name;
    std::uint32_t bits_per_axis = 1;  ///< An axis has 2 to that power levels.
    std::uint32_t axes = 1;

    constexpr std::uint32_t levels() const { return 1U << bits_per_axis; }
    constexpr std::uint32_t bits_per_symbol() const { return bits_per_axis * axes; }
    /// Whether every second level of an axis still carries a bit: see Encoding::protected_bits.
    constexpr bool can_be_thinned() const { return bits_per_axis > 1; }
};

/// All that there are, from few levels to many.
inline constexpr std::array<Modulation, 7> kModulations{{
    {"nrz", 1, 1},
    {"pam4", 2, 1},
    {"qam16", 2, 2},
    {"qam64", 3, 2},
    {"qam256", 4, 2},
    {"qam1024", 5, 2},
    {"qam4096", 6, 2},
}};

/// The modulation of that name, or none.
constexpr std::optional<Modulation> find_modulation(std::string_view name) {
    for (const Modulation& modulation : kModulations) {
        if (modulation.name == name) return modulation;
    }
    return std::nullopt;
}

/// The Gray code of a level: its most significant bit is bit 1 of the formulas.
constexpr std::uint32_t gray_of(std::uint32_t level) { return level ^ level >> 1; }

/// The level of a Gray code.
constexpr std::uint32_t level_of(std::uint32_t gray) {
    for (std::uint32_t shift = 1; shift < 32; shift *= 2) gray ^= gray >> shift;
    return gray;
}

}  // namespace kumi::network
