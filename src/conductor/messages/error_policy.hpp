#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/call_name.hpp"
#include "network/channel/encoding.hpp"

namespace kumi::conductor {

/// How messages arrive with errors. Plain data.
struct ErrorMode {
    std::optional<network::BitOrder>
        order;  ///< Of unprotected bits in symbols; else that of each link.
    /// Whether a finite number that errors would make infinite or NaN keeps the exponent that was
    /// sent.
    bool keeps_finite = false;
};

/// The name of a communicator, as MPI_Comm_get_name returns it; ends with a zero.
struct CommunicatorName {
    static constexpr std::size_t kBytes = 128;
    char text[kBytes] = {};
};

/// Says of some messages that they may arrive with errors, or that they may not. Plain data.
struct ErrorRule {
    static constexpr std::uint32_t kMostFunctions = 16;
    static constexpr std::uint32_t kMostCommunicators = 4;

    std::uint32_t elements = 0;        ///< Bit n stands for the element of that number.
    std::uint32_t function_count = 0;  ///< 0: any MPI function.
    CallName functions[kMostFunctions] = {};
    std::uint32_t communicator_count = 0;  ///< 0: any communicator.
    CommunicatorName communicators[kMostCommunicators] = {};
    std::uint32_t fewest_members = 0;  ///< Of the communicator.
    std::uint32_t most_members = ~std::uint32_t{0};
    std::uint64_t sites = 0;  ///< SentContent::sites must have one of these bits; 0: any place.
    std::uint64_t smallest_bytes = 0;
    std::uint64_t largest_bytes = ~std::uint64_t{0};
    std::uint8_t protected_bits = 0;  ///< At most those of a number.
    bool is_exact = false;
    ErrorMode mode;

    bool asks_for_communicators() const {
        return communicator_count > 0 || fewest_members > 0 || most_members != ~std::uint32_t{0};
    }
};

/// What the user allows. Of each message the program's own word decides (SentContent), else the
/// first rule that fits; if none does, it is exact. Plain data.
struct ErrorPolicy {
    static constexpr std::uint32_t kMostRules = 64;

    ErrorRule rules[kMostRules] = {};
    std::uint32_t count = 0;
    ErrorMode source_mode;  ///< Of messages for which the program itself allows errors.
    /// Whether messages without errors are protected as a whole on links with noise, which takes
    /// more of the links; else they take no more than on links without noise.
    bool protects_exact = true;
    std::uint64_t seed = 0;  ///< Of the run.

    bool asks_for_communicators() const {
        return std::any_of(rules, rules + count,
                           [](const ErrorRule& rule) { return rule.asks_for_communicators(); });
    }
};

}  // namespace kumi::conductor
