#pragma once

#include <cstddef>

namespace kumi::inline base {

/// The name of an MPI function, filled up with zeros: copying it takes a few instructions.
struct CallName {
    static constexpr std::size_t kBytes = 40;

    constexpr CallName() = default;
    /// From a literal that is short enough.
    template <std::size_t kSize>
    constexpr CallName(const char (&literal)[kSize]) {
        static_assert(kSize <= kBytes);
        for (std::size_t i = 0; i < kSize; ++i) text[i] = literal[i];
    }

    char text[kBytes] = {};  ///< Ends with a zero.
};

}  // namespace kumi::inline base
