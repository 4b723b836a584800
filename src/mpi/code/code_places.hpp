#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kumi::mpi {

/// A place in code as it is on disk, where every rank has it alike.
struct CodePlace {
    std::string module;        ///< Path of the program or library; empty if nothing is known of it.
    std::uint64_t offset = 0;  ///< As an address of that file.
};

CodePlace place_on_disk(const void* code);

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
/// The path that the launcher gives by a variable of the environment; nullptr if it gives none.
const char* path_from(const char* variable);
/// What is in a file of the launcher's; empty if it cannot be read.
std::string contents_of(const char* path);
/// Makes a file of what `write(file)` writes. Returns whether all of it is there.
template <class Write>
[[nodiscard]] bool make_file(const std::string& path, Write&& write) {
    std::FILE* file = std::fopen(path.c_str(), "we");
    if (file == nullptr) return false;
    write(file);
    const bool is_written = std::ferror(file) == 0;
    return std::fclose(file) == 0 && is_written;
}

/// Places in the program that the rules of a policy name: which of them a call comes from.
class NamedSites {
   public:
    static constexpr std::size_t kMost = 64;

    /// Each line of `text` is a place: file name or path of the program or library, a tab, and its
    /// call instructions (CodeRanges). Returns false if the text is not of that form.
    [[nodiscard]] bool read(std::string_view text);
    /// A bit for each place from which the call comes that returns to `caller`, the first line's
    /// the lowest. O(log callers) but for the first call.
    std::uint64_t of_call(const void* caller);

   private:
    std::vector<CodeRanges> x_sites;
    std::map<const void*, std::uint64_t> x_by_caller;
};

}  // namespace kumi::mpi
