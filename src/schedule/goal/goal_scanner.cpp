#include "schedule/goal/goal_scanner.hpp"

#include <utility>

namespace kumi::schedule {
namespace {

constexpr std::size_t kLongestWord = 256;

bool is_digit(int c) { return c >= '0' && c <= '9'; }
bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_blank(int c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string shown_character(int c) {
    if (c > ' ' && c < 127) return std::string("'") + static_cast<char>(c) + "'";
    return "the byte " + std::to_string(c & 0xFF);
}

}  // namespace

std::string GoalToken::shown() const {
    if (kind == Kind::kEndOfLine) return "the end of the line";
    return kind == Kind::kEndOfText ? "the end of the text" : "'" + text + "'";
}

GoalToken GoalScanner::take() {
    GoalToken token = std::exchange(x_token, {});
    advance();
    return token;
}

void GoalScanner::skip_line_ends() {
    while (x_token.kind == GoalToken::Kind::kEndOfLine) advance();
}

void GoalScanner::skip_block_comment() {
    const std::uint64_t begin = x_line;
    int before = 0;
    for (int c = next(); c >= 0; before = c, c = next()) {
        if (c == '\n') ++x_line;
        if (c == '/' && before == '*') return;
    }
    throw GoalError(begin, "this comment does not end");
}

void GoalScanner::skip_blanks() {
    for (;;) {
        const int c = look();
        if (is_blank(c)) {
            next();
            continue;
        }
        if (c != '/') return;
        next();
        const int second = look();
        if (second == '/') {
            while (look() >= 0 && look() != '\n') next();
        } else if (second == '*') {
            next();
            skip_block_comment();
        } else {
            throw GoalError(x_line, "'/' begins nothing but a comment, // or /*");
        }
    }
}

void GoalScanner::read_word(int character) {
    x_token.kind = GoalToken::Kind::kWord;
    for (int c = character; is_letter(c) || is_digit(c); c = look()) {
        if (x_token.text.size() == kLongestWord) {
            throw GoalError(x_line,
                            "a word is longer than " + std::to_string(kLongestWord) + " letters");
        }
        x_token.text += static_cast<char>(next());
    }
}

void GoalScanner::read_number(int character) {
    x_token.kind = GoalToken::Kind::kNumber;
    if (character == '-') {
        x_token.is_negative = true;
        x_token.text += static_cast<char>(next());
        if (!is_digit(look())) throw GoalError(x_line, "'-' must be followed by a number");
    }
    for (int c = look(); is_digit(c); c = look()) {
        const auto digit = static_cast<std::uint64_t>(c - '0');
        if (__builtin_mul_overflow(x_token.value, std::uint64_t{10}, &x_token.value) ||
            __builtin_add_overflow(x_token.value, digit, &x_token.value)) {
            throw GoalError(x_line, "a number is larger than 2^64");
        }
        // Zeros in front could go on for ever.
        if (x_token.text.size() < kLongestWord) x_token.text += static_cast<char>(c);
        next();
    }
    for (int c = look(); is_letter(c) && x_token.unit.size() < kLongestWord; c = look()) {
        x_token.unit += static_cast<char>(next());
    }
    x_token.text += x_token.unit;
}

void GoalScanner::advance() {
    skip_blanks();
    x_token = {};
    x_token.line = x_line;
    const int c = look();
    if (c < 0) return;
    if (is_letter(c)) return read_word(c);
    if (is_digit(c) || c == '-') return read_number(c);
    next();
    if (c == '\n') {
        ++x_line;
        x_token.kind = GoalToken::Kind::kEndOfLine;
    } else if (c == '{' || c == '}' || c == ':') {
        x_token.kind = GoalToken::Kind::kSign;
        x_token.text = static_cast<char>(c);
    } else {
        throw GoalError(x_line, shown_character(c) + " means nothing here");
    }
}

}  // namespace kumi::schedule
