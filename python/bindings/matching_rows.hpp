#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "matching/account.hpp"

/// What matching did at a rank, as a row of the summary's "matching". Times in ps.
nanobind::dict matching_row(std::uint32_t rank, const kumi::matching::Account& account);
