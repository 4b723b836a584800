#pragma once

#include <cstddef>

namespace kumi::inline base {

/// What `names` calls an enumerator, whose values count from 0, in their order. `other` if it has
/// no such value: memory that ranks share may hold anything.
template <class Enum, std::size_t kCount>
constexpr const char* name_in(const char* const (&names)[kCount], Enum value,
                              const char* other = "") {
    const auto number = static_cast<std::size_t>(value);
    return number < kCount ? names[number] : other;
}

}  // namespace kumi::inline base
