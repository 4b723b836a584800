#include "mpi/code/named_sites.hpp"

namespace kumi::mpi {

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
