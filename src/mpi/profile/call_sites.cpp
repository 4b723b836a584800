#include "mpi/profile/call_sites.hpp"

#include <algorithm>
#include <bit>
#include <cinttypes>

#include "mpi/code/code_places.hpp"

namespace kumi::mpi::profile {
namespace {

template <class Numbers>
void write_list(std::FILE* file, const Numbers& numbers) {
    const char* before = "";
    for (const auto number : numbers) {
        std::fprintf(file, "%s%" PRIu64, before, static_cast<std::uint64_t>(number));
        before = ",";
    }
}

}  // namespace

void CallSites::add(const EndedCall& call) {
    const auto [place, is_new] = x_sites.try_emplace({call.caller, call.function});
    Site& site = place->second;
    // At once: the library that calls may be gone when the program ends.
    if (is_new) {
        CodePlace found = place_on_disk(call.caller);
        site.module = std::move(found.module);
        site.offset = found.offset;
    }
    ++site.calls;
    const std::int64_t distance_ps = call.distance.ps;
    site.least_ps = std::min(site.least_ps, distance_ps);
    site.most_ps = std::max(site.most_ps, distance_ps);
    site.sum_ps += distance_ps;
    __extension__ using Square = unsigned __int128;
    const Square square = static_cast<Square>(distance_ps) * static_cast<Square>(distance_ps);
    const Square squares =
        ((static_cast<Square>(site.squares_high) << 64U) | site.squares_low) + square;
    site.squares_high = static_cast<std::uint64_t>(squares >> 64U);
    site.squares_low = static_cast<std::uint64_t>(squares);
    ++site.bins[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(distance_ps)))];
    site.inside_ps += call.inside.ps;
    if (call.members > 0) {
        const bool is_first = site.least_members == 0;
        site.least_members = is_first ? call.members : std::min(site.least_members, call.members);
        site.most_members = std::max(site.most_members, call.members);
    }
    for (const conductor::SentMessage& sent : call.sent) {
        site.messages += sent.messages;
        site.bytes += sent.bytes;
        site.targets.insert(sent.target);
    }
}

void CallSites::write(std::FILE* file) const {
    for (const auto& [key, site] : x_sites) write_site(file, key.second, site);
}

void CallSites::write_site(std::FILE* file, const char* function, const Site& site) {
    std::fprintf(file, "%s\t%s\t%" PRIx64 "\t%" PRIu64 "\t", function, site.module.c_str(),
                 site.offset, site.calls);
    std::fprintf(file, "%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRIu64 "\t%" PRIu64 "\t",
                 site.least_ps, site.most_ps, site.sum_ps, site.squares_high, site.squares_low);
    write_list(file, site.bins);
    std::fprintf(file, "\t%" PRId64 "\t%" PRIu64 "\t%" PRIu64 "\t", site.inside_ps, site.messages,
                 site.bytes);
    write_list(file, site.targets);
    std::fprintf(file, "\t%" PRIu32 "\t%" PRIu32 "\n", site.least_members, site.most_members);
}

}  // namespace kumi::mpi::profile
