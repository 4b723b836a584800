#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "endpoint/service/account.hpp"

/// The "service" of a run's configuration, which is `config`. Throws std::invalid_argument with a
/// plain sentence if a key is missing or impossible.
kumi::endpoint::service::Parameters service_parameters(nanobind::handle values,
                                                       const nanobind::dict& config);

/// By what one rank sent and received, in `packets_received` datagrams, and its memory where it was
/// largest.
nanobind::dict service_row(std::uint32_t rank, const kumi::endpoint::service::Account& account,
                           std::uint64_t packets_received);

/// The same of all ranks, with the name of the service.
nanobind::dict service_summary(const kumi::endpoint::service::Parameters& parameters,
                               nanobind::list rows);
