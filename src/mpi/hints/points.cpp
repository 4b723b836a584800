#include "mpi/hints/points.hpp"

#include <strings.h>

#include <algorithm>
#include <cinttypes>

namespace kumi::mpi::hint_file {
namespace {

constexpr std::size_t kFields = 9;

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
    return point.code.read(fields[6], fields[7]) && point.hint.is_possible();
}

const std::vector<std::size_t>& Points::points_at(const void* caller, const char* function) {
    const auto [place, is_new] = x_by_site.try_emplace({caller, function});
    if (!is_new) return place->second;
    const CodePlace where = place_on_disk(caller);
    for (std::size_t number = 0; number < x_points.size(); ++number) {
        const Point& point = x_points[number];
        if (::strcasecmp(point.function.c_str(), function) == 0 &&
            point.code.has_call_before(where))
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
