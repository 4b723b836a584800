#include "mpi/calls/accumulates.hpp"

#include "mpi/content/datatype.hpp"

namespace kumi::mpi::accumulates {
namespace {

/// MPICH passes such data on in pieces of 16 KiB and polls twice for each, and as often for an
/// answer. Twice as many steps are allowed for: too many cost a little real time only.
constexpr std::uint64_t kLeastSteps = 4;
constexpr std::uint64_t kBytesAStep = 4096;

constinit std::uint64_t steps = 0;

}  // namespace

std::uint64_t detail::size_bytes(Word count, bool is_large_count, Word datatype,
                                 Language language) {
    const std::int64_t numbers = count_of(count, language, is_large_count);
    if (numbers <= 0) return 0;
    return static_cast<std::uint64_t>(numbers) * size_of(datatype_of(datatype, language));
}

void detail::note(std::uint64_t size_bytes, bool answers) {
    const std::uint64_t one_way = kLeastSteps + size_bytes / kBytesAStep;
    steps += answers ? 2 * one_way : one_way;
}

bool takes_step() {
    if (steps == 0) return false;
    --steps;
    return true;
}

}  // namespace kumi::mpi::accumulates
