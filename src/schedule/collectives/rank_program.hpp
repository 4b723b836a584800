#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/schedule_builder.hpp"

namespace kumi {

/// Blocks are numbered pieces of data; which ones there are, each pattern says.
using BlockId = std::uint64_t;

/// What a message of a pattern carries, for those who check that a pattern does what it promises.
struct MessageContents {
    std::uint32_t rank = 0;
    std::uint32_t operation = 0;
    std::uint32_t step = 0;  ///< Of the rank.
    std::span<const BlockId> blocks{};
    bool adds = false;  ///< A receive adds to the blocks that are there, instead of replacing them.
};

class ContentsListener {
   public:
    virtual ~ContentsListener() = default;
    virtual void note(const MessageContents& contents) = 0;
};

/// Writes what one rank does, as steps: all of a step waits for all of the step before; operations
/// of one step are concurrent. Data that a step receives are in place when it ends.
class RankProgram {
   public:
    /// The builder must be at the rank.
    RankProgram(ScheduleBuilder& builder, ContentsListener* listener)
        : x_builder(builder), x_listener(listener) {}

    std::uint32_t rank() const { return x_builder.rank(); }
    std::uint32_t ranks() const { return x_builder.ranks(); }
    /// This rank plus or minus `distance`, around the end if need be; `distance` < ranks().
    std::uint32_t after(std::uint32_t distance) const {
        return static_cast<std::uint32_t>((std::uint64_t{rank()} + distance) % ranks());
    }
    std::uint32_t before(std::uint32_t distance) const { return after(ranks() - distance); }
    /// Whether anybody listens to what messages carry; if not, blocks may be left out.
    bool tells_contents() const { return x_listener != nullptr; }

    /// Messages of a pair that are in one step need different tags to be told apart.
    void send(std::uint32_t target, std::uint64_t size_bytes, std::span<const BlockId> blocks,
              std::uint32_t tag = 0);
    void receive(std::uint32_t source, std::uint64_t size_bytes, std::span<const BlockId> blocks,
                 std::uint32_t tag = 0);
    /// As receive, but what comes is added to what is there.
    void receive_and_add(std::uint32_t source, std::uint64_t size_bytes,
                         std::span<const BlockId> blocks, std::uint32_t tag = 0);
    /// Nothing is written for a time of 0.
    void compute(Duration span);
    void next_step();

   private:
    void add(const Operation& operation, std::span<const BlockId> blocks, bool adds);
    std::uint32_t append(const Operation& operation);

    ScheduleBuilder& x_builder;
    ContentsListener* x_listener;
    std::uint32_t x_step = 0;
    std::vector<std::uint32_t> x_previous;  ///< Operations that this step waits for.
    std::vector<std::uint32_t> x_present;
};

}  // namespace kumi
