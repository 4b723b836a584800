#include "mpi/hint_file/points.hpp"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <cinttypes>

#include "mpi/code_place.hpp"
#include "mpi/library_names.hpp"

namespace kumi::mpi::hint_file {
namespace {

constexpr std::size_t kFields = 9;

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

bool read_number(std::string_view text, std::uint64_t& number, int base = 10) {
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number, base);
    return error == std::errc{} && rest == end;
}

/// Whether the list has the rank, or is empty.
bool concerns(std::string_view ranks, std::uint32_t rank) {
    if (ranks.empty()) return true;
    return std::ranges::any_of(split(ranks, ','), [&](std::string_view text) {
        std::uint64_t number = 0;
        return read_number(text, number) && number == rank;
    });
}

}  // namespace

bool Points::read(std::string_view text, std::uint32_t rank) {
    std::size_t line = 0;
    for (const std::string_view row : split(text, '\n')) {
        if (row.empty()) continue;
        const Fields fields = split(row, '\t');
        Point point;
        point.line = line++;
        if (fields.size() != kFields || !read_point(fields, point)) return false;
        if (concerns(fields[kFields - 1], rank)) x_points.push_back(std::move(point));
    }
    return true;
}

bool Points::read_point(const Fields& fields, Point& point) {
    point.is_after = fields[0] == "after";
    std::uint64_t key = 0;
    if (!read_number(fields[1], key) || key >= endpoint::service::kHintKeys ||
        !read_number(fields[2], point.hint.value) || !read_number(fields[4], point.call) ||
        !read_number(fields[5], point.every))
        return false;
    point.hint.key = static_cast<endpoint::service::HintKey>(key);
    point.function = fields[3];
    point.module = fields[6];
    if (fields[7].empty()) return point.hint.is_possible();
    for (const std::string_view range : split(fields[7], ',')) {
        const auto ends = split(range, '-');
        Range found;
        if (ends.size() != 2 || !read_number(ends[0], found.begin, 16) ||
            !read_number(ends[1], found.end, 16))
            return false;
        point.ranges.push_back(found);
    }
    return point.hint.is_possible();
}

bool Points::Point::is_at(const std::string& path, std::uint64_t offset) const {
    if (ranges.empty()) return true;
    const bool is_path = module.find('/') != std::string::npos;
    if (module != (is_path ? path.c_str() : file_name(path.c_str()))) return false;
    // A call returns to what comes after it.
    return std::ranges::any_of(ranges, [at = offset - 1](const Range& range) {
        return range.begin <= at && at < range.end;
    });
}

const std::vector<std::size_t>& Points::points_at(const void* caller, const char* function) {
    const auto [place, is_new] = x_by_site.try_emplace({caller, function});
    if (!is_new) return place->second;
    const CodePlace where = place_on_disk(caller);
    for (std::size_t number = 0; number < x_points.size(); ++number) {
        const Point& point = x_points[number];
        if (::strcasecmp(point.function.c_str(), function) == 0 &&
            point.is_at(where.module, where.offset))
            place->second.push_back(number);
    }
    return place->second;
}

bool Points::has_missed() const {
    return std::ranges::any_of(x_points,
                               [](const Point& point) { return point.calls < point.call; });
}

void Points::write_missed(std::FILE* file) const {
    for (const Point& point : x_points)
        if (point.calls < point.call)
            std::fprintf(file, "%zu\t%" PRIu64 "\n", point.line, point.calls);
}

}  // namespace kumi::mpi::hint_file
