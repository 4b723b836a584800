#pragma once

#include <cstdint>
#include <vector>

#include "collectives/rank_program.hpp"

namespace kumi::collectives {

/// Records what an algorithm calls for one rank, without carrying anything out.
class RecordedProgram final : public RankProgram {
   public:
    /// Of messages, in the order of Role; and others.
    enum class Kind : std::uint8_t { kSend, kReceive, kReceiveAndAdd, kSynchronise, kWaitUntil };
    struct Call {
        Kind kind = Kind::kSend;
        std::uint32_t peer = 0;
        std::uint64_t size_bytes = 0;
        std::vector<BlockId> blocks{};
        std::uint32_t tag = 0;
        Duration after_start{};
        bool operator==(const Call&) const = default;
    };

    RecordedProgram(std::uint32_t rank, std::uint32_t ranks, bool wants_blocks = true)
        : RankProgram(rank, ranks), x_wants_blocks(wants_blocks) {}

    /// By step; the last step is empty if the algorithm ended the one before.
    const std::vector<std::vector<Call>>& steps() const { return x_steps; }

    bool wants_blocks() const override { return x_wants_blocks; }
    void take_part(const Message& message) override {
        x_steps.back().push_back({static_cast<Kind>(message.role),
                                  message.peer,
                                  message.size_bytes,
                                  {message.blocks.begin(), message.blocks.end()},
                                  message.tag});
    }
    void next_step() override { x_steps.emplace_back(); }
    void synchronise() override { x_steps.back().push_back({.kind = Kind::kSynchronise}); }
    void wait_until(Duration after_start) override {
        x_steps.back().push_back({.kind = Kind::kWaitUntil, .after_start = after_start});
    }

   private:
    bool x_wants_blocks;
    std::vector<std::vector<Call>> x_steps{1};
};

}  // namespace kumi::collectives
