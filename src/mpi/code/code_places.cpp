#include "mpi/code/code_places.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstdlib>

#include "mpi/code/library_names.hpp"

namespace kumi::mpi {
namespace {

std::string program_path() {
    char path[PATH_MAX];
    const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
    return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string();
}

}  // namespace

CodePlace place_on_disk(const void* code) {
    const auto address = reinterpret_cast<std::uintptr_t>(code);
    dl_find_object found{};
    if (_dl_find_object(const_cast<void*>(code), &found) != 0) return {{}, address};
    const link_map& module = *found.dlfo_link_map;
    // The program itself has no name.
    return {*module.l_name == '\0' ? program_path() : std::string(module.l_name),
            address - module.l_addr};
}

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

const char* path_from(const char* variable) {
    const char* path = std::getenv(variable);
    return path == nullptr || *path == '\0' ? nullptr : path;
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

bool NamedSites::read(std::string_view text) {
    for (const std::string_view row : split(text, '\n')) {
        if (row.empty()) continue;
        const auto fields = split(row, '\t');
        CodeRanges site;
        if (fields.size() != 2 || fields[1].empty() || !site.read(fields[0], fields[1]) ||
            x_sites.size() == kMost)
            return false;
        x_sites.push_back(std::move(site));
    }
    return !x_sites.empty();
}

std::uint64_t NamedSites::of_call(const void* caller) {
    const auto [known, is_new] = x_by_caller.try_emplace(caller, 0);
    if (!is_new) return known->second;
    const CodePlace place = place_on_disk(caller);
    for (std::size_t number = 0; number < x_sites.size(); ++number)
        if (x_sites[number].has_call_before(place)) known->second |= std::uint64_t{1} << number;
    return known->second;
}

}  // namespace kumi::mpi
