#pragma once

#include <iterator>

#include "endpoint/service/hint_key.hpp"

namespace kumi {

/// The keys of hints in GOAL text, by their numbers.
struct HintWord {
    const char* name;
    endpoint::service::HintKey key;
};
inline constexpr HintWord kHintWords[] = {
    {"IN_KERNEL", endpoint::service::HintKey::kInKernel},
    {"REPEATED", endpoint::service::HintKey::kRepeated},
    {"MEMORY_BUDGET", endpoint::service::HintKey::kMemoryBudget}};
static_assert(std::size(kHintWords) == endpoint::service::kHintKeys);

}  // namespace kumi
