#pragma once

#include <cstdint>

namespace kumi::conductor {

/// How much processes that run ahead may defer before that is carried out first: most operations
/// are carried out while they are in the processor's caches. Results do not depend on it. Plain
/// data in the segment.
///
/// A process runs until it waits for a message that has not been sent. So messages travel from rank
/// to rank in bunches, and each costs a handover; on several cores, bunches fall apart. They merge
/// again when one overtakes another, for which much must be deferred before it is
/// carried out.
class Deferral {
   public:
    /// Whether `deferred` operations of `ranks` ranks are too many for now. To be asked at each
    /// step.
    bool is_much(std::uint64_t deferred, std::uint64_t ranks) {
        if (x_merging_steps == 0) return deferred > kUsual * ranks;
        --x_merging_steps;
        x_is_much = deferred > (x_is_much ? kFew : kMany) * ranks;
        return x_is_much;
    }
    /// Lets bunches of `ranks` ranks merge for a while.
    void merge_bunches(std::uint64_t ranks) {
        x_merging_steps = kMergingSteps * ranks;
        x_is_much = false;
    }

   private:
    // For each rank.
    static constexpr std::uint64_t kFew = 8;
    static constexpr std::uint64_t kUsual = 16;
    static constexpr std::uint64_t kMany = 128;
    static constexpr std::uint64_t kMergingSteps = 256;

    std::uint64_t x_merging_steps = 0;  ///< That are left.
    bool x_is_much = false;             ///< While bunches merge.
};

}  // namespace kumi::conductor
