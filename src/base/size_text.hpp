#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace kumi::inline base {

/// A unit of sizes in text.
struct SizeUnit {
    std::string_view name;
    std::uint64_t bytes;
};

/// Reads a whole number with one of the units, perhaps behind spaces: "512 MiB". Nothing if it is
/// none, or has more than 2^64 bytes.
inline std::optional<std::uint64_t> read_size(std::string_view text,
                                              std::span<const SizeUnit> units) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{}) return std::nullopt;
    std::string_view unit(rest, static_cast<std::size_t>(end - rest));
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    for (const SizeUnit& known : units) {
        std::uint64_t bytes = 0;
        if (known.name == unit && !__builtin_mul_overflow(number, known.bytes, &bytes))
            return bytes;
    }
    return std::nullopt;
}

}  // namespace kumi::inline base
