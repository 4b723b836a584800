#include "collectives.hpp"

#include <nanobind/stl/vector.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "specification.hpp"

namespace nb = nanobind;

using namespace kumi;

namespace {

constexpr std::array<const char*, kCollectiveFunctions> kFunctionNames{
    "MPI_Alltoall",  "MPI_Barrier",   "MPI_Allreduce",           "MPI_Bcast",
    "MPI_Allgather", "MPI_Alltoallv", "MPI_Reduce_scatter_block"};
/// Of why a call went to the MPI library; the first one did not.
constexpr std::array<const char*, kCollectiveChoices> kReasons{
    "", "communicator", "shape", "size", "arguments", "operation", "hint"};

nb::dict calls_of(const conductor::CollectiveCounts& counts, std::size_t choice) {
    nb::dict result;
    result["calls"] = counts.calls[choice];
    result["time_ps"] = counts.time[choice].ps;
    return result;
}

}  // namespace

conductor::CollectiveSettings collective_settings(nb::handle values) {
    static const std::map<std::string, endpoint::StartRule> kRules = {
        {"corrected", endpoint::StartRule::kCorrected}, {"printed", endpoint::StartRule::kPrinted}};
    Section section("collectives", values);
    conductor::CollectiveSettings settings;
    settings.sides = nb::cast<std::vector<std::uint32_t>>(section.object("sides"));
    settings.is_torus = section.number("is_torus") != 0;
    settings.packet_bytes = section.number("packet_bytes");
    settings.rule = section.choice("rule", kRules);
    settings.guard = section.duration("guard_ps");
    settings.jitter = section.duration("jitter_ps");
    settings.seed = section.number("seed");
    settings.wakes_for_steps = section.number("wakes_for_steps") != 0;
    settings.in_kernel_only = section.number("in_kernel_only") != 0;
    section.finish();
    return settings;
}

nb::dict start_totals(const endpoint::StartTotals& totals) {
    nb::dict result;
    result["rounds"] = totals.rounds;
    result["synchronisations"] = totals.synchronisations;
    result["packets"] = totals.packets;
    result["synchronisation_ps"] = totals.time.ps;
    result["largest_skew_ps"] = totals.largest_skew.ps;
    result["waits"] = totals.waits;
    result["missed"] = totals.missed;
    result["largest_lateness_ps"] = totals.largest_lateness.ps;
    return result;
}

nb::dict collective_summary(const conductor::Collectives& collectives) {
    nb::dict result = start_totals(collectives.totals());
    nb::dict functions;
    for (std::size_t function = 0; function < kCollectiveFunctions; ++function) {
        const conductor::CollectiveCounts& counts = collectives.counts[function];
        nb::dict scheduled = calls_of(counts, 0);
        scheduled["missed"] = counts.missed;
        nb::dict left;
        std::uint64_t calls = counts.calls[0];
        for (std::size_t choice = 1; choice < kCollectiveChoices; ++choice) {
            calls += counts.calls[choice];
            if (counts.calls[choice] > 0) left[kReasons[choice]] = calls_of(counts, choice);
        }
        if (calls == 0) continue;
        nb::dict row;
        row["scheduled"] = scheduled;
        row["library"] = left;
        functions[kFunctionNames[function]] = row;
    }
    result["functions"] = functions;
    return result;
}
