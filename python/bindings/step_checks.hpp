#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <vector>

#include "collectives/patterns/pattern.hpp"
#include "described_network.hpp"
#include "schedule/check/delivery.hpp"
#include "schedule/check/step_check.hpp"

/// Follows messages over a network; rank r of `ranks` is at host `rank_hosts[r]`. Throws
/// ScheduleError if there is no such host for each rank. Needs no lock of the interpreter.
kumi::schedule::StepCheck checked_steps(const std::vector<kumi::schedule::StepMessage>& messages,
                                        std::uint32_t ranks, const DescribedNetwork& network,
                                        const std::vector<std::uint32_t>& rank_hosts);

/// The blocks of a pattern that has been checked, as `kumi::check_delivery` follows them. Throws
/// ScheduleError if it is no all-to-all, or too large.
kumi::schedule::Delivery checked_delivery(const std::string& name,
                                          kumi::collectives::PatternParameters parameters);

/// For Python.
nanobind::dict dict_of(const kumi::schedule::StepCheck& check, const DescribedNetwork& network);
nanobind::dict dict_of(const kumi::schedule::Delivery& delivery);
