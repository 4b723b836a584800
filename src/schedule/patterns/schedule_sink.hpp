#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectives/rank_program.hpp"
#include "schedule/schedule_builder.hpp"

namespace kumi::schedule {

/// What a message of a pattern carries, for tests of what a pattern promises.
struct MessageContents {
    std::uint32_t rank = 0;
    std::uint32_t operation = 0;
    std::uint32_t step = 0;  ///< Of the rank.
    std::span<const collectives::BlockId> blocks{};
    bool adds = false;  ///< A receive adds to the blocks that are there, instead of replacing them.
};

class ContentsListener {
   public:
    virtual ~ContentsListener() = default;
    virtual void note(const MessageContents& contents) = 0;
};

/// Writes what one rank does into a schedule.
class ScheduleSink final : public collectives::RankProgram {
   public:
    /// The builder must be at the rank. `listener` may be null.
    ScheduleSink(ScheduleBuilder& builder, ContentsListener* listener)
        : collectives::RankProgram(builder.rank(), builder.ranks()),
          x_builder(builder),
          x_listener(listener) {}

    bool wants_blocks() const override { return x_listener != nullptr; }
    void send(std::uint32_t target, std::uint64_t size_bytes,
              std::span<const collectives::BlockId> blocks, std::uint32_t tag) override;
    void receive(std::uint32_t source, std::uint64_t size_bytes,
                 std::span<const collectives::BlockId> blocks, std::uint32_t tag) override;
    void receive_and_add(std::uint32_t source, std::uint64_t size_bytes,
                         std::span<const collectives::BlockId> blocks, std::uint32_t tag) override;
    void next_step() override;
    void synchronise() override { begin_step(Operation::synchronise()); }
    void wait_until(Duration after_start) override {
        begin_step(Operation::wait_after(after_start));
    }
    /// Nothing is written for a time of 0.
    void compute(Duration span);

   private:
    void add(const Operation& operation, std::span<const collectives::BlockId> blocks, bool adds);
    std::uint32_t append(const Operation& operation);
    void begin_step(const Operation& operation);

    ScheduleBuilder& x_builder;
    ContentsListener* x_listener;
    std::uint32_t x_step = 0;
    std::vector<std::uint32_t> x_previous;  ///< Operations that this step waits for.
    std::vector<std::uint32_t> x_present;
};

}  // namespace kumi::schedule
