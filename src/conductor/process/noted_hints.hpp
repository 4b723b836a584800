#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "endpoint/service/hint_key.hpp"

namespace kumi::conductor {

/// The hints of the program to its service while its process was away, and the regions that its
/// hints have begun. A hint takes no time and acts at the rank's next message, so the process need
/// not come back for each.
class NotedHints {
   public:
    bool empty() const { return x_count == 0; }
    /// Returns whether there was room.
    bool add(endpoint::service::Hint hint) {
        if (x_count == x_hints.size()) return false;
        x_hints[x_count++] = hint.packed();
        return true;
    }
    /// Calls `pass(hint)` for each in order, and forgets them.
    template <class Pass>
    void pass_all(Pass&& pass) {
        for (std::uint32_t i = 0; i < x_count; ++i)
            pass(endpoint::service::Hint::unpacked(x_hints[i]));
        x_count = 0;
    }

    /// A region with IN_KERNEL begins, or ends, for the process. For any thread. An end without a
    /// beginning changes nothing, as for services.
    void note_region(bool begins) {
        std::uint32_t depth = x_kernel_depth.load(std::memory_order_relaxed);
        while ((begins || depth > 0) &&
               !x_kernel_depth.compare_exchange_weak(depth, begins ? depth + 1 : depth - 1,
                                                     std::memory_order_relaxed)) {
        }
    }
    bool is_in_kernel() const { return x_kernel_depth.load(std::memory_order_relaxed) > 0; }

   private:
    std::uint32_t x_count = 0;
    std::atomic<std::uint32_t> x_kernel_depth{0};
    std::array<std::uint32_t, 64> x_hints{};  ///< By Hint::packed.
};

}  // namespace kumi::conductor
