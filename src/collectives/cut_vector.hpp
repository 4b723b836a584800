#pragma once

#include <algorithm>
#include <cstdint>

#include "collectives/rank_program.hpp"

namespace kumi::collectives {

/// A vector in parts as equal as can be, one behind the other. Its units are never cut: elements of
/// a sum, or the block that each rank gives. The last unit may have fewer bytes.
class CutVector {
   public:
    CutVector(std::uint64_t total_bytes, std::uint64_t unit_bytes, std::uint32_t parts)
        : x_total_bytes(total_bytes),
          x_unit_bytes(unit_bytes),
          x_units((total_bytes + unit_bytes - 1) / unit_bytes),
          x_parts(parts) {}

    std::uint32_t parts() const { return x_parts; }
    std::uint64_t total_bytes() const { return x_total_bytes; }
    /// Where a part begins; `part` may be parts(), the end.
    std::uint64_t offset(BlockId part) const {
        const std::uint64_t units = x_units / x_parts * part + std::min(x_units % x_parts, part);
        return std::min(units * x_unit_bytes, x_total_bytes);
    }
    /// Bytes of the parts from `first` to before `end`.
    std::uint64_t bytes(BlockId first, BlockId end) const { return offset(end) - offset(first); }

   private:
    std::uint64_t x_total_bytes, x_unit_bytes, x_units;
    std::uint32_t x_parts;
};

}  // namespace kumi::collectives
