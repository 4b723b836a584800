#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace kumi::inline base {

/// What the payload of a message consists of, as far as that is known.
enum class Element : std::uint8_t {
    kNone = 0,  ///< Nothing is known, or several types of numbers.
    kHalf,      ///< IEEE 754, 16 bits.
    kBfloat16,
    kFloat,
    kDouble,
    kFloatComplex,
    kDoubleComplex,
    kInteger8,  ///< With or without a sign.
    kInteger16,
    kInteger32,
    kInteger64,
};

/// What is known of a type of numbers.
struct ElementTraits {
    std::string_view name;        ///< As the user calls it.
    std::uint32_t word_bits = 0;  ///< Of a number, of complex ones of either part; 0: of kNone.
    std::uint32_t exponent_bits = 0;
    std::uint32_t words = 1;  ///< Of an element.

    constexpr bool is_integer() const { return word_bits != 0 && exponent_bits == 0; }
    constexpr std::uint32_t bytes() const { return word_bits / 8 * words; }
};

/// By the number of the element.
inline constexpr std::array<ElementTraits, 11> kElements{{
    {"none", 0, 0, 0},
    {"half", 16, 5, 1},
    {"bfloat16", 16, 8, 1},
    {"float", 32, 8, 1},
    {"double", 64, 11, 1},
    {"float complex", 32, 8, 2},
    {"double complex", 64, 11, 2},
    {"int8", 8, 0, 1},
    {"int16", 16, 0, 1},
    {"int32", 32, 0, 1},
    {"int64", 64, 0, 1},
}};

constexpr const ElementTraits& traits_of(Element element) {
    return kElements[static_cast<std::size_t>(element)];
}

}  // namespace kumi::inline base
