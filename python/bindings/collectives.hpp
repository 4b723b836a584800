#pragma once

#include <nanobind/nanobind.h>

#include "conductor/collectives/collectives.hpp"
#include "endpoint/start_account.hpp"

/// How a run's collective calls are scheduled. Throws std::invalid_argument with a plain sentence
/// if a key is missing or impossible.
kumi::conductor::CollectiveSettings collective_settings(nanobind::handle values);

/// Common starts of all ranks.
nanobind::dict start_totals(const kumi::endpoint::StartTotals& totals);

/// The same of a program's ranks, with what became of its calls. Only if they may be scheduled.
nanobind::dict collective_summary(const kumi::conductor::Collectives& collectives);
