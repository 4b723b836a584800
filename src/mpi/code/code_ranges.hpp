#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mpi/code/code_place.hpp"

namespace kumi::mpi {

/// Call instructions of one program or library, which a file of the user's names.
class CodeRanges {
   public:
    /// `module` is a file name, or a path if it has a "/". `ranges` are addresses of that file, as
    /// in "10-1f,30-31" (hexadecimal, the end not included); empty: any code. Returns false if they
    /// are not of that form.
    [[nodiscard]] bool read(std::string_view module, std::string_view ranges);
    /// Whether the call that returns to this place is among them.
    bool has_call_before(const CodePlace& place) const;

   private:
    struct Range {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    };

    std::string x_module;
    std::vector<Range> x_ranges;
};

/// The parts of a text between separators: one at least.
std::vector<std::string_view> split(std::string_view text, char separator);
/// Returns false if the whole text is no number.
[[nodiscard]] bool read_number(std::string_view text, std::uint64_t& number, int base = 10);
/// What is in a file of the launcher's; empty if it cannot be read.
std::string contents_of(const char* path);

}  // namespace kumi::mpi
