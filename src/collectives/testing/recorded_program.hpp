#pragma once

#include <cstdint>
#include <vector>

#include "collectives/rank_program.hpp"

namespace kumi::collectives {

/// Records what an algorithm calls for one rank, without carrying anything out.
class RecordedProgram final : public RankProgram {
   public:
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
    void send(std::uint32_t target, std::uint64_t size_bytes, std::span<const BlockId> blocks,
              std::uint32_t tag) override {
        add(Kind::kSend, target, size_bytes, blocks, tag);
    }
    void receive(std::uint32_t source, std::uint64_t size_bytes, std::span<const BlockId> blocks,
                 std::uint32_t tag) override {
        add(Kind::kReceive, source, size_bytes, blocks, tag);
    }
    void receive_and_add(std::uint32_t source, std::uint64_t size_bytes,
                         std::span<const BlockId> blocks, std::uint32_t tag) override {
        add(Kind::kReceiveAndAdd, source, size_bytes, blocks, tag);
    }
    void next_step() override { x_steps.emplace_back(); }
    void synchronise() override { x_steps.back().push_back({.kind = Kind::kSynchronise}); }
    void wait_until(Duration after_start) override {
        x_steps.back().push_back({.kind = Kind::kWaitUntil, .after_start = after_start});
    }

   private:
    void add(Kind kind, std::uint32_t peer, std::uint64_t size_bytes,
             std::span<const BlockId> blocks, std::uint32_t tag) {
        x_steps.back().push_back({kind, peer, size_bytes, {blocks.begin(), blocks.end()}, tag});
    }

    bool x_wants_blocks;
    std::vector<std::vector<Call>> x_steps{1};
};

}  // namespace kumi::collectives
