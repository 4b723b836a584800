#include "mpi/code/code_ranges.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "mpi/code/library_names.hpp"

namespace kumi::mpi {

bool CodeRanges::read(std::string_view module, std::string_view ranges) {
    x_module = module;
    if (ranges.empty()) return true;
    for (const std::string_view range : split(ranges, ',')) {
        const auto ends = split(range, '-');
        Range found;
        if (ends.size() != 2 || !read_number(ends[0], found.begin, 16) ||
            !read_number(ends[1], found.end, 16))
            return false;
        x_ranges.push_back(found);
    }
    return true;
}

bool CodeRanges::has_call_before(const CodePlace& place) const {
    if (x_ranges.empty()) return true;
    const bool is_path = x_module.find('/') != std::string::npos;
    if (x_module != (is_path ? place.module.c_str() : file_name(place.module.c_str())))
        return false;
    // A call returns to what comes after it.
    return std::ranges::any_of(x_ranges, [at = place.offset - 1](const Range& range) {
        return range.begin <= at && at < range.end;
    });
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

bool read_number(std::string_view text, std::uint64_t& number, int base) {
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number, base);
    return error == std::errc{} && rest == end;
}

std::string contents_of(const char* path) {
    std::string text;
    std::FILE* file = std::fopen(path, "re");
    if (file == nullptr) return text;
    char part[4096];
    while (const std::size_t size = std::fread(part, 1, sizeof part, file)) text.append(part, size);
    std::fclose(file);
    return text;
}

}  // namespace kumi::mpi
