#pragma once

#include <cstdint>

#include "collectives/rank_program.hpp"

namespace kumi::collectives {

/// Base of programs that only look at the messages of an algorithm, by step. What one of them does
/// not override is passed over; received sums count as received.
class WatchingProgram : public RankProgram {
   public:
    bool wants_blocks() const override { return false; }
    void take_part(const Message& message) final {
        message.role == Role::kSends ? sends(message) : receives(message);
    }
    void next_step() override { ++x_step; }
    void synchronise() override {}
    void wait_until(Duration) override {}

   protected:
    using RankProgram::RankProgram;
    virtual void sends(const Message& message) = 0;
    virtual void receives(const Message& /*message*/) {}
    std::uint32_t step() const { return x_step; }

   private:
    std::uint32_t x_step = 0;
};

}  // namespace kumi::collectives
