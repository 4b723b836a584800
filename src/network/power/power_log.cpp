#include "network/power/power_log.hpp"

#include <algorithm>

namespace kumi::network {

PowerLog::PowerLog(Arena& arena, std::uint32_t links)
    : x_chunks(arena.make_array<PowerRecord*>(kMostRecords / kChunk)),
      x_last(arena.make_array<std::uint32_t>(links)) {
    std::fill_n(x_last, links, kNone);
}

void PowerLog::add(Arena& arena, std::uint32_t link, PowerState state, Instant begin, Instant end) {
    const auto number = static_cast<std::uint8_t>(state);
    std::uint32_t& last = x_last[link];
    if (last != kNone) {
        PowerRecord& before = x_chunks[last / kChunk][last % kChunk];
        if (before.state == number && before.end_ps == begin.ps) {
            before.end_ps = end.ps;
            return;
        }
    }
    if (x_size == kMostRecords) {
        x_is_cut = true;
        return;
    }
    if (x_size % kChunk == 0) x_chunks[x_size / kChunk] = arena.make_array<PowerRecord>(kChunk);
    last = x_size++;
    x_chunks[last / kChunk][last % kChunk] = {begin.ps, end.ps, link, number, {}};
}

}  // namespace kumi::network
