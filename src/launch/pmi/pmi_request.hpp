#pragma once

#include <optional>
#include <string_view>

namespace kumi::launch {

/// One line of the PMI-1 protocol, `cmd=<name> key=value key=value ...`, without its newline.
///
/// Values end at the next space; a backslash takes the next character into the value. Keys and
/// values are handed out as they stand, escapes included, so that what one rank puts is what
/// another gets. Views point into the parsed line.
class PmiRequest {
   public:
    /// Reads one line; nothing if it does not follow the protocol. Any bytes may be given.
    static std::optional<PmiRequest> parse(std::string_view line);

    std::string_view command() const { return x_command; }

    /// The value of the first field named `key`; nothing if there is none.
    std::optional<std::string_view> find(std::string_view key) const;

    /// Everything behind `key=` up to the end of the line, spaces included: for texts that their
    /// sender did not escape.
    std::optional<std::string_view> rest_after(std::string_view key) const;

   private:
    PmiRequest(std::string_view line, std::string_view command)
        : x_line(line), x_command(command) {}

    std::string_view x_line;
    std::string_view x_command;
};

}  // namespace kumi::launch
