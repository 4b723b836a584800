#pragma once

#include <cstdint>
#include <span>

#include "collectives/rank_program.hpp"

namespace kumi::collectives {

/// Base of programs that only look at the messages of an algorithm, by step. What one of them does
/// not override is passed over; received sums count as received.
class WatchingProgram : public RankProgram {
   public:
    bool wants_blocks() const override { return false; }
    using RankProgram::receive;
    using RankProgram::receive_and_add;
    using RankProgram::send;
    void receive(std::uint32_t, std::uint64_t, std::span<const BlockId>, std::uint32_t) override {}
    void receive_and_add(std::uint32_t source, std::uint64_t size_bytes,
                         std::span<const BlockId> blocks, std::uint32_t tag) override {
        receive(source, size_bytes, blocks, tag);
    }
    void next_step() override { ++x_step; }
    void synchronise() override {}
    void wait_until(Duration) override {}

   protected:
    using RankProgram::RankProgram;
    std::uint32_t step() const { return x_step; }

   private:
    std::uint32_t x_step = 0;
};

}  // namespace kumi::collectives
