#pragma once

#include <cstdint>
#include <vector>

#include "network/topology/topology.hpp"

namespace kumi::network {

/// Hosts 0 and 1 with a link of 1 ns a byte and 100 ns in each direction, and a third host that is
/// connected to nothing.
inline TopologyParameters lonely_host() {
    const Numbers none{std::vector<std::uint64_t>()};
    return {"routes",
            {{"hosts", 3},
             {"switches", 0},
             {"sources", {0, 1}},
             {"targets", {1, 0}},
             {"bandwidth_bps", {8'000'000'000, 8'000'000'000}},
             {"latency_ps", {100'000, 100'000}},
             {"kinds", {0, 1, 2}},
             {"up_begins", {0, 0, 0, 0}},
             {"up_links", none},
             {"down_begins", {0, 0, 0, 0}},
             {"down_links", none},
             {"pipes", none},
             {"path_begins", {0, 0, 1, 2, 3, 3, 4, 5, 6, 6}},
             {"path_links", {0, 2, 1, 2, 2, 2}}}};
}

}  // namespace kumi::network
