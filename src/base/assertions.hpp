#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace kumi::inline base {

/// What a program promises of a communicator (MPI 4, "Communicator Info").
enum class Assertion : std::uint8_t { kNoAnySource, kNoAnyTag, kAllowOvertaking, kExactLength };

inline constexpr std::size_t kAssertions = 4;
/// Keys of info objects, in the order of Assertion.
inline constexpr std::array<const char*, kAssertions> kAssertionKeys{
    "mpi_assert_no_any_source", "mpi_assert_no_any_tag", "mpi_assert_allow_overtaking",
    "mpi_assert_exact_length"};

/// A set of them: plain data.
struct AssertionSet {
    std::uint8_t bits = 0;

    bool has(Assertion assertion) const {
        return (bits >> static_cast<unsigned>(assertion) & 1) != 0;
    }
    void set(Assertion assertion, bool is_promised) {
        const auto bit = static_cast<std::uint8_t>(1U << static_cast<unsigned>(assertion));
        bits = static_cast<std::uint8_t>(is_promised ? bits | bit : bits & ~bit);
    }
    bool is_empty() const { return bits == 0; }
    bool operator==(const AssertionSet&) const = default;
};

/// What one rank did on communicators with an assertion. Plain data.
struct AssertionTally {
    std::uint64_t receives = 0;  ///< Calls that receive, or that make a persistent receive.
    std::uint64_t messages = 0;  ///< Calls that send, likewise.
    std::uint64_t broken = 0;    ///< Calls, or messages received, that are not as was promised.
};

}  // namespace kumi::inline base
