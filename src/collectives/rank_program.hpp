#pragma once

#include <cstdint>
#include <span>

#include "base/time/time.hpp"

namespace kumi::collectives {

/// Blocks are numbered pieces of data. Each pattern defines its own numbers.
using BlockId = std::uint64_t;

/// What one rank does, in steps: a step begins when all of the step before has ended, and the
/// operations of one step are concurrent. Data that a step receives are in place when it ends.
///
/// Algorithms call this interface; an implementation writes a schedule or carries the calls out.
/// Nothing here throws, because an implementation may run in the process of a user's program.
class RankProgram {
   public:
    virtual ~RankProgram() = default;

    std::uint32_t rank() const { return x_rank; }
    std::uint32_t ranks() const { return x_ranks; }
    /// This rank plus or minus `distance`, around the end if need be; `distance` < ranks().
    std::uint32_t after(std::uint32_t distance) const {
        return static_cast<std::uint32_t>((std::uint64_t{rank()} + distance) % ranks());
    }
    std::uint32_t before(std::uint32_t distance) const { return after(ranks() - distance); }

    /// Whether the blocks of the present step's messages are used. If not, algorithms may leave
    /// them out.
    virtual bool wants_blocks() const = 0;
    /// Messages of a pair that are in one step need different tags to be distinguished.
    void send(std::uint32_t target, std::uint64_t size_bytes, std::span<const BlockId> blocks,
              std::uint32_t tag = 0) {
        take_part({Role::kSends, target, size_bytes, blocks, tag});
    }
    void receive(std::uint32_t source, std::uint64_t size_bytes, std::span<const BlockId> blocks,
                 std::uint32_t tag = 0) {
        take_part({Role::kReceives, source, size_bytes, blocks, tag});
    }
    /// As receive, but what arrives is added to what is there.
    void receive_and_add(std::uint32_t source, std::uint64_t size_bytes,
                         std::span<const BlockId> blocks, std::uint32_t tag = 0) {
        take_part({Role::kAdds, source, size_bytes, blocks, tag});
    }

    /// What this rank does with a message.
    enum class Role : std::uint8_t { kSends, kReceives, kAdds };
    struct Message {
        Role role{};
        std::uint32_t peer = 0;
        std::uint64_t size_bytes = 0;
        std::span<const BlockId> blocks;
        std::uint32_t tag = 0;
    };
    /// One of the three above.
    virtual void take_part(const Message& message) = 0;
    virtual void next_step() = 0;
    /// This step begins at the common start of all ranks, which must all call it equally often.
    /// Nothing of this step may have been called before.
    virtual void synchronise() = 0;
    /// This step begins no earlier than a time after the last common start. Nothing of this step
    /// may have been called before.
    virtual void wait_until(Duration after_start) = 0;

   protected:
    RankProgram(std::uint32_t rank, std::uint32_t ranks) : x_rank(rank), x_ranks(ranks) {}

   private:
    std::uint32_t x_rank, x_ranks;
};

}  // namespace kumi::collectives
