#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "network/fabric.hpp"
#include "network/network.hpp"
#include "specification.hpp"

/// How links save power, as `Platform.network_spec()` says it. Throws std::invalid_argument if a
/// key is missing or unknown.
kumi::network::PowerDescription link_power_of(Section section);

/// What the power of all links came to until `end`: states and what a link draws in each, totals, a
/// row for each of `links`, how long links were idle, and the log if there is one (PowerRecord as
/// bytes). Energies in 10^-18 J.
nanobind::dict link_power_summary(const kumi::network::Network& network, kumi::Instant end,
                                  const std::vector<kumi::network::LinkId>& links);
