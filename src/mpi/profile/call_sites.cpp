#include "mpi/profile/call_sites.hpp"

#include <algorithm>
#include <cinttypes>

#include "mpi/code/code_places.hpp"

namespace kumi::mpi::profile {
namespace {

/// Numbers of a list, which are separated by commas.
class List {
   public:
    explicit List(std::FILE* file) : x_file(file) {}
    void add(std::uint64_t number) {
        std::fprintf(x_file, "%s%" PRIu64, x_before, number);
        x_before = ",";
    }

   private:
    std::FILE* x_file;
    const char* x_before = "";
};

}  // namespace

std::uint32_t CallSites::note(const void* caller, const char* function, std::uint32_t members) {
    const auto [place, is_new] = x_sites.try_emplace({caller, function});
    Site& site = place->second;
    // At once: the library that calls may be gone when the program ends.
    if (is_new) {
        CodePlace found = place_on_disk(caller);
        site.module = std::move(found.module);
        site.offset = found.offset;
        site.number = run_link::add_profiled_place();
    }
    if (members > 0) {
        const bool is_first = site.least_members == 0;
        site.least_members = is_first ? members : std::min(site.least_members, members);
        site.most_members = std::max(site.most_members, members);
    }
    return site.number;
}

void CallSites::write(std::FILE* file, const conductor::CallSums& sums) const {
    for (const auto& [key, site] : x_sites) {
        const conductor::CallSum& sum = sums.at(site.number);
        std::fprintf(file, "%s\t%s\t%" PRIx64 "\t%" PRIu64 "\t", key.second, site.module.c_str(),
                     site.offset, sum.calls);
        std::fprintf(file, "%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRIu64 "\t%" PRIu64 "\t",
                     sum.least_ps, sum.most_ps, sum.sum_ps, sum.squares_high, sum.squares_low);
        List bins(file);
        for (const std::uint64_t calls : sum.bins) bins.add(calls);
        std::fprintf(file, "\t%" PRId64 "\t%" PRIu64 "\t%" PRIu64 "\t", sum.inside.ps, sum.messages,
                     sum.bytes);
        List targets(file);
        sums.for_each_target(site.number, [&](std::uint32_t target) { targets.add(target); });
        std::fprintf(file, "\t%" PRIu32 "\t%" PRIu32 "\n", site.least_members, site.most_members);
    }
}

}  // namespace kumi::mpi::profile
