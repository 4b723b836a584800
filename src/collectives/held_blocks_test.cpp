#include "collectives/held_blocks.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "collectives/testing/recorded_program.hpp"
#include "collectives/torus/suh_shin.hpp"

namespace kumi::collectives {
namespace {

constexpr std::uint64_t kBytes = sizeof(BlockId);

void fill(std::byte* place, BlockId value) { std::memcpy(place, &value, kBytes); }
BlockId read(const std::byte* place) {
    BlockId value = 0;
    std::memcpy(&value, place, kBytes);
    return value;
}

TEST(HeldBlocks, WhatIsTakenMakesRoomForWhatIsPut) {
    HeldBlocks held(2, kBytes);
    fill(held.add(7), 70);
    fill(held.add(8), 80);
    std::byte message[kBytes];
    const BlockId sent = 7, received = 9;
    held.take({&sent, 1}, message);
    EXPECT_EQ(read(message), 70u);
    fill(message, 90);
    held.put({&received, 1}, message);
    EXPECT_EQ(read(held.find(8)), 80u);
    EXPECT_EQ(read(held.find(9)), 90u);
}

TEST(HeldBlocksDeathTest, BlocksMustBeHeldOnceAndFit) {
    HeldBlocks held(2, kBytes);
    fill(held.add(7), 70);
    EXPECT_DEATH((void)held.find(8), "does not hold a block");
    EXPECT_DEATH(held.add(7), "gets a block twice");
    held.add(8);
    EXPECT_DEATH(held.add(9), "more blocks than there are");
}

TEST(HeldBlocks, CarryAnAllToAllOfSuhAndShin) {
    const SuhShinSteps steps(RankTorus({8, 4, 4}));
    const std::uint32_t ranks = steps.torus().ranks();
    std::vector<HeldBlocks> held;
    std::vector<RecordedProgram> programs;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        programs.emplace_back(rank, ranks);
        steps.write_alltoall(programs.back(), kBytes);
        held.emplace_back(ranks, kBytes);
        for (std::uint32_t target = 0; target < ranks; ++target) {
            const BlockId block = BlockId{rank} * ranks + target;
            fill(held.back().add(block), block + 1);
        }
    }
    for (std::uint32_t step = 0; step < steps.steps(); ++step) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::byte>> sent;
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            for (const RecordedProgram::Call& message : programs[rank].steps()[step]) {
                if (message.kind != RecordedProgram::Kind::kSend) continue;
                auto& bytes = sent[{rank, message.peer}];
                bytes.resize(message.blocks.size() * kBytes);
                held[rank].take(message.blocks, bytes.data());
            }
        }
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            for (const RecordedProgram::Call& message : programs[rank].steps()[step]) {
                if (message.kind != RecordedProgram::Kind::kReceive) continue;
                held[rank].put(message.blocks, sent.at({message.peer, rank}).data());
            }
        }
    }
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        for (std::uint32_t origin = 0; origin < ranks; ++origin) {
            const BlockId block = BlockId{origin} * ranks + rank;
            ASSERT_EQ(read(held[rank].find(block)), block + 1);
        }
    }
}

}  // namespace
}  // namespace kumi::collectives
