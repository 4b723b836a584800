#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/call_name.hpp"
#include "base/element.hpp"
#include "network/channel/encoding.hpp"

/// What a schedule says of messages that may arrive with errors.
namespace kumi::schedule {

/// What decides the size of such a message on links, and which of its bits are wrong.
struct ErrorContent {
    Element element = Element::kNone;  ///< Of the payload; never none in a schedule.
    std::uint8_t protected_bits = 0;   ///< Of each number, from the most significant one.
    std::optional<network::BitOrder>
        order{};          ///< Of unprotected bits in symbols; else that of each link.
    CallName function{};  ///< The MPI function that has sent it; empty: not known.

    bool operator==(const ErrorContent& other) const;
    /// What is wrong with it, in words; empty if nothing is.
    std::string problem() const;
};

/// What a whole schedule says of errors in its messages.
struct ScheduleErrors {
    /// Operations name one by a byte.
    static constexpr std::size_t kMostContents = 256;

    /// Whether exact messages, control messages too, are protected as a whole on links with noise.
    bool protects_exact = true;
    /// Each once, in the order in which operations name them, rank by rank.
    std::vector<ErrorContent> contents{};

    bool operator==(const ScheduleErrors&) const = default;
};

/// The name of a type of numbers in one word, as GOAL text has it: "double_complex".
std::string word_of(Element element);
/// Element::kNone if there is no such word.
Element element_of_word(const std::string& word);

}  // namespace kumi::schedule
