#pragma once

#include <cstdint>

namespace kumi::conductor {

/// How much processes that run ahead may defer before that is carried out first: most operations
/// are carried out while they are in the processor's caches. Results do not depend on it. Plain
/// data in the segment.
///
/// A process runs until it waits for a message that has not been sent. So messages travel from rank
/// to rank in bunches, and each costs a handover; on several cores, bunches fall apart. They merge
/// again when one overtakes another, for which there must be enough time between two times at which
/// all is carried out.
class Deferral {
   public:
    /// Whether `deferred` operations of `ranks` ranks are too many for now.
    bool is_much(std::uint64_t deferred, std::uint64_t ranks) {
        if (x_merges == 0) return deferred > kUsual * ranks;
        const bool was_much = x_is_much;
        x_is_much = deferred > (was_much ? kFew : kMany) * ranks;
        if (was_much && !x_is_much) --x_merges;
        return x_is_much;
    }
    /// Lets bunches merge for a while.
    void merge_bunches() {
        x_merges = kMerges;
        x_is_much = false;
    }

   private:
    // For each rank.
    static constexpr std::uint64_t kFew = 8;
    static constexpr std::uint64_t kUsual = 16;
    static constexpr std::uint64_t kMany = 128;
    static constexpr std::uint32_t kMerges = 4;

    std::uint32_t x_merges = 0;  ///< How often much is to be carried out at once.
    bool x_is_much = false;
};

}  // namespace kumi::conductor
