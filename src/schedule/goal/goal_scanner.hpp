#pragma once

#include <cstdint>
#include <istream>
#include <string>

#include "schedule/schedule_builder.hpp"

namespace kumi::schedule {

/// A mistake in the text of a schedule; the sentence begins with "line N: ".
class GoalError : public ScheduleError {
   public:
    GoalError(std::uint64_t line, const std::string& text)
        : ScheduleError("line " + std::to_string(line) + ": " + text), x_line(line), x_text(text) {}

    std::uint64_t line() const { return x_line; }
    const std::string& text() const { return x_text; }

   private:
    std::uint64_t x_line;
    std::string x_text;
};

/// A piece of GOAL text.
struct GoalToken {
    enum class Kind : std::uint8_t { kWord, kNumber, kSign, kEndOfLine, kEndOfText };

    Kind kind = Kind::kEndOfText;
    std::uint64_t line = 1;
    std::string text{};       ///< Word, number as written, or sign.
    std::uint64_t value = 0;  ///< Of a number, without its minus.
    bool is_negative = false;
    std::string unit{};  ///< Letters right behind a number.

    bool is(const char* what) const {
        return (kind == Kind::kWord || kind == Kind::kSign) && text == what;
    }
    /// For messages.
    std::string shown() const;
};

/// Cuts GOAL text into tokens, leaving out comments. Reads ahead one token, and as little text as
/// the stream's buffer holds: a text may be larger than memory.
class GoalScanner {
   public:
    explicit GoalScanner(std::istream& input) : x_input(*input.rdbuf()) { advance(); }

    const GoalToken& peek() const { return x_token; }
    GoalToken take();
    void skip_line_ends();

   private:
    void advance();
    void skip_blanks();
    void skip_block_comment();
    void read_word(int character);
    void read_number(int character);
    /// The next character, or a negative number at the end.
    int look() { return x_input.sgetc(); }
    int next() { return x_input.sbumpc(); }

    std::streambuf& x_input;
    std::uint64_t x_line = 1;
    GoalToken x_token;
};

}  // namespace kumi::schedule
