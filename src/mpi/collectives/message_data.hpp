#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "collectives/cut_vector.hpp"
#include "collectives/held_blocks.hpp"
#include "mpi/collectives/operation.hpp"

namespace kumi::mpi::collectives {

using kumi::collectives::BlockId;
using kumi::collectives::CutVector;
using kumi::collectives::HeldBlocks;
using Blocks = std::span<const BlockId>;

/// What the messages of a schedule carry, on one rank.
class MessageData {
   public:
    virtual ~MessageData() = default;
    /// Copies blocks to `into`, one behind the other.
    virtual void take(Blocks blocks, std::byte* into) = 0;
    /// Puts what lies at `from` in their place.
    virtual void put(Blocks blocks, const std::byte* from) = 0;
    /// Adds what lies at `from`, which is overwritten, as the left or the right operand. Returns 0
    /// or an error of MPI's.
    virtual int add(Blocks blocks, std::byte* from, bool is_left) = 0;
};

/// Blocks that change their ranks.
class MovedBlocks final : public MessageData {
   public:
    explicit MovedBlocks(HeldBlocks& held) : x_held(held) {}
    void take(Blocks blocks, std::byte* into) override { x_held.take(blocks, into); }
    void put(Blocks blocks, const std::byte* from) override { x_held.put(blocks, from); }
    /// No algorithm that moves blocks adds.
    int add(Blocks, std::byte*, bool) override;

   private:
    HeldBlocks& x_held;
};

/// Parts of a vector that each rank has; of sums if there is an operation.
class VectorData final : public MessageData {
   public:
    explicit VectorData(const CutVector& vector, const Operation& operation = {})
        : x_vector(vector), x_operation(operation), x_bytes(vector.total_bytes()) {}

    std::byte* at(BlockId part) { return x_bytes.data() + x_vector.offset(part); }

    void take(Blocks blocks, std::byte* into) override;
    void put(Blocks blocks, const std::byte* from) override;
    int add(Blocks blocks, std::byte* from, bool is_left) override;

   private:
    /// Calls `use(own, bytes)` for parts of the vector that lie behind each other, all together.
    template <class Use>
    void for_each_piece(Blocks blocks, Use&& use);

    const CutVector& x_vector;
    Operation x_operation;
    std::vector<std::byte> x_bytes;
};

}  // namespace kumi::mpi::collectives
