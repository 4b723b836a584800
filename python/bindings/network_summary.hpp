#pragma once

#include <nanobind/nanobind.h>

#include "network/fabric.hpp"
#include "network/network.hpp"

/// What a network has done, for a summary: events, event_hash, links (a row for each), link_use.
nanobind::dict network_summary(const kumi::FabricDescription& fabric, const kumi::Network& network);
