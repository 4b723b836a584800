#pragma once

#include <cstdint>

#include "base/memory/arena.hpp"
#include "base/time/time.hpp"
#include "network/power/states/power_times.hpp"

namespace kumi::network {

/// A link was in a state from begin to end.
struct PowerRecord {
    std::int64_t begin_ps = 0;
    std::int64_t end_ps = 0;
    std::uint32_t link = 0;
    std::uint8_t state = 0;  ///< PowerState.
    std::uint8_t reserved[3] = {};
};
static_assert(sizeof(PowerRecord) == 24);

/// The power states of all links over time: of each link in order, up to a number of records.
class PowerLog {
   public:
    static constexpr std::uint32_t kMostRecords = 1U << 20;

    PowerLog(Arena& arena, std::uint32_t links);

    /// Not before an earlier end of that link. Continues the link's last record if it can.
    void add(Arena& arena, std::uint32_t link, PowerState state, Instant begin, Instant end);

    std::uint32_t size() const { return x_size; }
    const PowerRecord& at(std::uint32_t place) const {
        return x_chunks[place / kChunk][place % kChunk];
    }
    /// Whether there were more records than fit.
    bool is_cut() const { return x_is_cut; }

   private:
    static constexpr std::uint32_t kChunk = 1U << 12;
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    PowerRecord** x_chunks;
    std::uint32_t* x_last;  ///< Place of the last record of each link.
    std::uint32_t x_size = 0;
    bool x_is_cut = false;
};

}  // namespace kumi::network
