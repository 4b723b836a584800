#include "schedule/message_errors.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace kumi::schedule {
namespace {

/// Whether the name is a word of GOAL text, or empty, and zeros fill it up.
bool is_well_formed(const CallName& name) {
    const char* const end = name.text + CallName::kBytes;
    const char* const zero = std::find(name.text, end, '\0');
    const bool is_word = std::all_of(name.text, zero, [](char letter) {
        return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
    });
    const bool begins_with_digit = std::isdigit(static_cast<unsigned char>(name.text[0])) != 0;
    return zero != end && is_word && !begins_with_digit &&
           std::all_of(zero, end, [](char letter) { return letter == '\0'; });
}

}  // namespace

bool ErrorContent::operator==(const ErrorContent& other) const {
    return element == other.element && protected_bits == other.protected_bits &&
           order == other.order &&
           std::memcmp(function.text, other.function.text, CallName::kBytes) == 0;
}

std::string ErrorContent::problem() const {
    if (element == Element::kNone || static_cast<std::size_t>(element) >= kElements.size())
        return "an approximate message has no type of numbers";
    const std::uint32_t word_bits = traits_of(element).word_bits;
    if (protected_bits > word_bits)
        return "numbers of the type " + word_of(element) + " have " + std::to_string(word_bits) +
               " bits, " + std::to_string(protected_bits) + " cannot be protected";
    if (!is_well_formed(function)) return "the name of an MPI function is no word";
    return "";
}

std::string word_of(Element element) {
    std::string word(traits_of(element).name);
    std::replace(word.begin(), word.end(), ' ', '_');
    return word;
}

Element element_of_word(const std::string& word) {
    for (std::size_t number = 1; number < kElements.size(); ++number) {
        const auto element = static_cast<Element>(number);
        if (word_of(element) == word) return element;
    }
    return Element::kNone;
}

}  // namespace kumi::schedule
