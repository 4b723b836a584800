#include "collectives/torus/box_steps.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "collectives/testing/recorded_program.hpp"

namespace kumi::collectives {
namespace {

using Call = RecordedProgram::Call;
using Kind = RecordedProgram::Kind;
using Algorithm = std::function<void(RankProgram&)>;

constexpr std::uint64_t kUnitBytes = 8;

/// What the ranks of a box hold: for each part of a vector, the ranks whose contributions are in
/// it. Executes an algorithm step by step.
class Box {
   public:
    using Contributions = std::multiset<std::uint32_t>;

    Box(std::vector<std::uint32_t> sides, std::vector<bool> is_ring)
        : x_lines(std::move(sides), std::move(is_ring)), x_held(x_lines.points().ranks()) {}

    const BoxLines& lines() const { return x_lines; }
    std::uint32_t ranks() const { return x_lines.points().ranks(); }
    Contributions& at(std::uint32_t rank, BlockId part) { return x_held[rank][part]; }
    Contributions all() const {
        Contributions found;
        for (std::uint32_t rank = 0; rank < ranks(); ++rank) found.insert(rank);
        return found;
    }

    /// Also checks that sizes are those of the parts, that each message is received in the step in
    /// which it is sent, and that no more messages share a link than `sharing` says.
    void execute(const Algorithm& algorithm, const CutVector& vector, const Sharing& sharing = {}) {
        std::vector<RecordedProgram> programs;
        for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
            programs.emplace_back(rank, ranks());
            algorithm(programs.back());
            ASSERT_EQ(programs.back().steps().size(), programs.front().steps().size());
        }
        for (std::size_t step = 0; step < programs.front().steps().size(); ++step) {
            std::map<std::pair<std::uint32_t, std::uint32_t>, const Call*> sent;
            std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> crossings;
            const auto before = x_held;
            std::size_t received = 0;
            for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
                for (const Call& call : programs[rank].steps()[step]) {
                    if (call.kind != Kind::kSend) continue;
                    std::uint64_t bytes = 0;
                    for (const BlockId part : call.blocks) bytes += vector.bytes(part, part + 1);
                    ASSERT_EQ(call.size_bytes, bytes);
                    ASSERT_TRUE(sent.emplace(std::pair{rank, call.peer}, &call).second);
                    cross(rank, call.peer, crossings);
                }
            }
            for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
                for (const Call& call : programs[rank].steps()[step]) {
                    if (call.kind == Kind::kSend) continue;
                    ++received;
                    const auto message = sent.find({call.peer, rank});
                    ASSERT_NE(message, sent.end());
                    ASSERT_EQ(message->second->blocks, call.blocks);
                    for (const BlockId part : call.blocks) {
                        const auto& arrived = before[call.peer].at(part);
                        if (call.kind == Kind::kReceive) x_held[rank][part].clear();
                        x_held[rank][part].insert(arrived.begin(), arrived.end());
                    }
                }
            }
            ASSERT_EQ(received, sent.size());
            std::uint32_t most = sent.empty() ? 0 : 1;
            for (const auto& [link, count] : crossings) most = std::max(most, count);
            EXPECT_LE(most, step < sharing.size() ? sharing[step] : 1U) << "in step " << step;
        }
    }

   private:
    /// The links from one rank to another one of its line, the shorter way around a ring.
    void cross(std::uint32_t from, std::uint32_t to,
               std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>& crossings) const {
        const RankTorus& points = x_lines.points();
        for (std::size_t dimension = 0; dimension < points.dimensions(); ++dimension) {
            const auto here = static_cast<int>(points.coordinate(from, dimension));
            const auto there = static_cast<int>(points.coordinate(to, dimension));
            const auto side = static_cast<int>(points.side(dimension));
            int hops = there - here;
            if (x_lines.is_ring(dimension) && 2 * std::abs(hops) > side)
                hops += hops > 0 ? -side : side;
            for (; hops != 0; hops += hops > 0 ? -1 : 1) {
                const std::uint32_t next = points.moved(from, dimension, hops > 0 ? 1 : -1);
                ++crossings[{from, next}];
                from = next;
            }
        }
        ASSERT_EQ(from, to) << "a message leaves its line";
    }

    BoxLines x_lines;
    std::vector<std::map<BlockId, Contributions>> x_held;
};

struct Shape {
    std::vector<std::uint32_t> sides;
    std::vector<bool> is_ring;
};

class BoxStepsTest : public testing::TestWithParam<Shape> {
   protected:
    Box box() const { return {GetParam().sides, GetParam().is_ring}; }
};

TEST_P(BoxStepsTest, GatherGivesAllPartsToAll) {
    for (const bool is_doubling : {false, true}) {
        Box box = this->box();
        const CutVector vector(kUnitBytes * box.ranks(), kUnitBytes, box.ranks());
        for (std::uint32_t rank = 0; rank < box.ranks(); ++rank) box.at(rank, rank) = {rank};
        if (is_doubling) {
            box.execute([&](RankProgram& p) { double_gather_in_box(p, box.lines(), vector); },
                        vector, sharing_of_double_gather(box.lines()));
        } else {
            box.execute([&](RankProgram& p) { gather_in_box(p, box.lines(), vector); }, vector);
        }
        for (std::uint32_t rank = 0; rank < box.ranks(); ++rank)
            for (std::uint32_t part = 0; part < box.ranks(); ++part)
                ASSERT_EQ(box.at(rank, part), Box::Contributions{part});
    }
}

TEST_P(BoxStepsTest, SumsHaveEachRankOnce) {
    Box box = this->box();
    const CutVector vector(kUnitBytes * 10 * box.ranks() + kUnitBytes, kUnitBytes, box.ranks());
    const auto fill = [&box](std::uint32_t parts) {
        for (std::uint32_t rank = 0; rank < box.ranks(); ++rank)
            for (std::uint32_t part = 0; part < parts; ++part) box.at(rank, part) = {rank};
    };
    fill(box.ranks());
    box.execute([&](RankProgram& p) { reduce_scatter_in_box(p, box.lines(), vector); }, vector);
    for (std::uint32_t rank = 0; rank < box.ranks(); ++rank)
        ASSERT_EQ(box.at(rank, rank), box.all());
    fill(1);
    const CutVector whole(kUnitBytes, kUnitBytes, 1);
    box.execute([&](RankProgram& p) { double_sums_in_box(p, box.lines(), whole); }, whole,
                sharing_of_double_sums(box.lines()));
    for (std::uint32_t rank = 0; rank < box.ranks(); ++rank) ASSERT_EQ(box.at(rank, 0), box.all());
}

TEST_P(BoxStepsTest, EveryRootReachesAll) {
    for (std::uint32_t root = 0; root < box().ranks(); ++root) {
        Box box = this->box();
        const CutVector whole(kUnitBytes, kUnitBytes, 1);
        box.at(root, 0) = {77};
        box.execute([&](RankProgram& p) { broadcast_in_box(p, box.lines(), whole, root); }, whole);
        for (std::uint32_t rank = 0; rank < box.ranks(); ++rank)
            ASSERT_EQ(box.at(rank, 0), Box::Contributions{77});
        const CutVector vector(kUnitBytes * box.ranks(), kUnitBytes, box.ranks());
        for (std::uint32_t part = 0; part < box.ranks(); ++part) box.at(root, part) = {part};
        box.execute([&](RankProgram& p) { scatter_in_box(p, box.lines(), vector, root); }, vector);
        for (std::uint32_t rank = 0; rank < box.ranks(); ++rank)
            ASSERT_EQ(box.at(rank, rank), Box::Contributions{rank});
    }
}

TEST_P(BoxStepsTest, ShiftsBringAllPairsTogether) {
    Box box = this->box();
    const std::uint32_t ranks = box.ranks();
    const CutVector vector(kUnitBytes * ranks * ranks, kUnitBytes, ranks * ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        for (BlockId target = 0; target < ranks; ++target)
            box.at(rank, rank * ranks + target) = {rank};
    box.execute(
        [&](RankProgram& p) {
            shift_in_box(p, box.lines(), [&](std::uint32_t target, std::uint32_t source) {
                const BlockId sent = p.rank() * BlockId{ranks} + target;
                const BlockId received = source * BlockId{ranks} + p.rank();
                p.receive(source, kUnitBytes, {&received, 1});
                p.send(target, kUnitBytes, {&sent, 1});
            });
        },
        vector, sharing_of_shift(box.lines()));
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        for (std::uint32_t source = 0; source < ranks; ++source)
            ASSERT_EQ(box.at(rank, source * BlockId{ranks} + rank), Box::Contributions{source});
}

INSTANTIATE_TEST_SUITE_P(Shapes, BoxStepsTest,
                         testing::Values(Shape{{4, 4, 4}, {true, true, true}},
                                         Shape{{8, 2}, {true, false}}, Shape{{16}, {true}},
                                         Shape{{5, 3}, {true, true}}, Shape{{7, 6}, {false, true}},
                                         Shape{{4, 8}, {false, false}},
                                         Shape{{3, 12}, {false, true}}, Shape{{9}, {false}},
                                         Shape{{2}, {true}}));

TEST(CutVector, ElementsAreNeverCut) {
    const CutVector vector(7 * 8, 8, 3);
    EXPECT_EQ(vector.bytes(0, 1), 24u);
    EXPECT_EQ(vector.bytes(1, 2), 16u);
    EXPECT_EQ(vector.offset(3), 56u);
    const CutVector rest(20, 16, 4);
    EXPECT_EQ(rest.bytes(0, 1), 16u);
    EXPECT_EQ(rest.bytes(1, 2), 4u);
    EXPECT_EQ(rest.bytes(2, 4), 0u);
}

TEST(BoxLines, ALineWithTwoEndsIsALoopOfShortWays) {
    const BoxLines lines({6, 5}, {false, false});
    EXPECT_EQ(lines.loop(0), (LineOrder{0, 2, 4, 5, 3, 1}));
    EXPECT_EQ(lines.loop(1), (LineOrder{0, 2, 4, 3, 1}));
}

}  // namespace
}  // namespace kumi::collectives
