#pragma once

#include <cstdint>

#include "base/call_name.hpp"
#include "base/element.hpp"
#include "base/time/time.hpp"
#include "conductor/messages/error_policy.hpp"

namespace kumi::conductor {

/// Messages and their bytes.
struct MessageTally {
    std::uint64_t messages = 0, bytes = 0;
    void add(std::uint64_t size_bytes) {
        ++messages;
        bytes += size_bytes;
    }
};

/// All that is counted. Sums only, so that the order in which ranks add does not matter.
struct ErrorCounters {
    static constexpr std::uint32_t kMostBits = 64;
    static constexpr std::uint32_t kMostFunctions = 255;

    struct OfElement {
        MessageTally allowed;
        std::uint64_t by_bit[kMostBits] = {};  ///< Wrong bits, the most significant first.
        std::uint64_t nan = 0, inf = 0;        ///< Numbers that became such.
        std::uint64_t restored = 0;            ///< Numbers that kept the exponent that was sent.
    };
    struct OfFunction {
        CallName name;
        MessageTally allowed;
        std::uint64_t wrong_bits = 0;
        /// The same by element and bit, from the most significant one; null where there are none.
        std::uint64_t* by_bit[kElements.size()] = {};
    };

    OfElement elements[kElements.size()] = {};
    OfFunction functions[kMostFunctions] = {};
    std::uint32_t function_count = 0;
    MessageTally rules[ErrorPolicy::kMostRules] = {};  ///< For which each rule has decided.
    std::uint32_t rule_count = 0;
    MessageTally by_source;       ///< For which the program itself has decided.
    MessageTally unprotectable;   ///< Errors are allowed, but the path has links of two levels.
    MessageTally without_noise;   ///< Errors are allowed, but no link of the path makes any.
    MessageTally unruled;         ///< No rule fits, or one that makes them exact.
    MessageTally unclassified;    ///< It is not known what they consist of.
    std::uint64_t corrupted = 0;  ///< Messages with a wrong bit.
    // Of messages that allow errors and cross links with noise.
    std::uint64_t payload_bytes = 0, link_bytes = 0;
    /// The additional time over an idle network if all of their bits had been protected.
    Duration saved{};
};

}  // namespace kumi::conductor
