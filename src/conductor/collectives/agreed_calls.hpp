#pragma once

#include <cstdint>

#include "base/memory/arena.hpp"

namespace kumi::conductor {

/// What ranks come to, each by itself, about calls that they all make in the same order: yes or
/// no. The first rank to make a call decides what the others must say. Plain data in the segment:
/// a number for each change, since neighbouring calls mostly have the same answer.
class AgreedCalls {
   public:
    /// A rank says `answer` about the call with that number; its own calls come in order, from 0.
    /// Returns whether all ranks that made the call say so.
    bool agree(Arena& arena, std::uint64_t call, bool answer);

   private:
    bool last_answer() const { return x_count % 2 == 1; }
    bool answer_to(std::uint64_t call) const;
    void add_change(Arena& arena, std::uint64_t call);

    std::uint64_t x_known = 0;           ///< Calls that a rank has made.
    std::uint64_t* x_changes = nullptr;  ///< Numbers of calls; the answer before the first is no.
    std::uint32_t x_count = 0;
    std::uint32_t x_room = 0;
};

}  // namespace kumi::conductor
