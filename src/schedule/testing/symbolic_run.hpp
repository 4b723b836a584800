#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random/random_stream.hpp"
#include "schedule/patterns/patterns.hpp"
#include "schedule/testing/schedules_under_test.hpp"

namespace kumi::schedule {

/// Executes a pattern without time, on sets: for each rank and block, whose contributions it holds.
/// Whatever the schedule allows may come next, so operations are taken in a random order: a missing
/// dependence shows as a block that is not there yet, or is not what it should be.
class SymbolicRun : private ContentsListener {
   public:
    using Contributors = std::set<std::uint32_t>;
    using Initial = std::function<Contributors(std::uint32_t rank, collectives::BlockId block)>;

    SymbolicRun(const std::string& pattern, const collectives::PatternParameters& parameters,
                Initial initial)
        : x_schedule(generate(pattern, parameters, 1, this)),
          x_initial(std::move(initial)),
          x_ranks(parameters.ranks) {
        for (std::uint32_t rank = 0; rank < parameters.ranks; ++rank) {
            for (const collectives::BlockId block : x_blocks) {
                const Contributors first = x_initial(rank, block);
                if (!first.empty()) x_ranks[rank].held[block] = first;
            }
        }
    }

    /// All blocks that any message carries.
    const std::set<collectives::BlockId>& blocks() const { return x_blocks; }

    /// A block that no message carries stays as it was.
    Contributors contributors(std::uint32_t rank, collectives::BlockId block) const {
        if (!x_blocks.contains(block)) return x_initial(rank, block);
        const auto found = x_ranks[rank].held.find(block);
        return found == x_ranks[rank].held.end() ? Contributors{} : found->second;
    }

    /// Everything must be executed and every message received.
    void execute(std::uint64_t order) {
        RandomStream random = RandomStreams(order, "test").stream();
        for (std::uint32_t rank = 0; rank < x_ranks.size(); ++rank) prepare(rank);
        while (!x_ready.empty()) {
            std::swap(x_ready[random.below(x_ready.size())], x_ready.back());
            const auto [rank, operation] = x_ready.back();
            x_ready.pop_back();
            start(rank, operation);
        }
        EXPECT_EQ(x_done, x_schedule.operations()) << "operations are left over";
        for (std::uint32_t rank = 0; rank < x_ranks.size(); ++rank) put_in_place(rank, UINT32_MAX);
        for (const auto& [key, messages] : x_messages) EXPECT_TRUE(messages.empty());
    }

   private:
    struct Note {
        std::uint32_t step;
        std::vector<collectives::BlockId> blocks;
        bool adds;
    };
    using Data = std::vector<std::pair<collectives::BlockId, Contributors>>;
    struct Message {
        std::uint64_t size_bytes;
        Data data;
    };
    struct Received {
        std::uint32_t step;
        bool adds;
        Data data;
    };
    struct Rank {
        std::map<collectives::BlockId, Contributors> held;
        std::vector<std::uint32_t> waits;
        std::vector<Received> received;  ///< Not yet in place.
    };
    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  ///< Source, target, tag.

    void note(const MessageContents& contents) override {
        x_notes[{contents.rank, contents.operation}] = {
            contents.step, {contents.blocks.begin(), contents.blocks.end()}, contents.adds};
        x_blocks.insert(contents.blocks.begin(), contents.blocks.end());
    }

    void prepare(std::uint32_t rank) {
        const auto operations = x_schedule.operations_of(rank);
        x_ranks[rank].waits.assign(operations.size(), 0);
        for (const Successor after : x_schedule.successors_of(rank)) {
            ++x_ranks[rank].waits[after.operation()];
        }
        for (std::uint32_t i = 0; i < operations.size(); ++i) {
            if (x_ranks[rank].waits[i] == 0) x_ready.emplace_back(rank, i);
        }
    }

    void start(std::uint32_t rank, std::uint32_t index) {
        const Operation& operation = x_schedule.operations_of(rank)[index];
        if (!operation.is_message()) return finish(rank, index);
        const Note& note = x_notes.at({rank, index});
        put_in_place(rank, note.step);
        if (operation.kind == OperationKind::kReceive) {
            const Key key{operation.peer, rank, operation.tag};
            x_receives[key].push_back(index);
            return match(key);
        }
        Message message{operation.amount, {}};
        for (const collectives::BlockId block : note.blocks) {
            message.data.emplace_back(block, contributors(rank, block));
            EXPECT_FALSE(message.data.back().second.empty())
                << "rank " << rank << " sends block " << block << ", which it does not have";
        }
        const Key key{rank, operation.peer, operation.tag};
        x_messages[key].push_back(std::move(message));
        finish(rank, index);
        match(key);
    }

    void match(const Key& key) {
        auto& receives = x_receives[key];
        auto& messages = x_messages[key];
        while (!receives.empty() && !messages.empty()) {
            const std::uint32_t rank = std::get<1>(key);
            const std::uint32_t index = receives.front();
            const Note& note = x_notes.at({rank, index});
            EXPECT_EQ(x_schedule.operations_of(rank)[index].amount, messages.front().size_bytes);
            std::vector<collectives::BlockId> carried;
            for (const auto& [block, data] : messages.front().data) carried.push_back(block);
            EXPECT_EQ(carried, note.blocks) << "rank " << rank << " expects other blocks";
            x_ranks[rank].received.push_back({note.step, note.adds, messages.front().data});
            receives.pop_front();
            messages.pop_front();
            finish(rank, index);
        }
    }

    /// What steps before `step` have received.
    void put_in_place(std::uint32_t rank, std::uint32_t step) {
        auto& received = x_ranks[rank].received;
        for (const Received& one : received) {
            if (one.step >= step) continue;
            for (const auto& [block, data] : one.data) {
                Contributors& held = x_ranks[rank].held[block];
                if (!one.adds) held.clear();
                for (const std::uint32_t contributor : data) {
                    EXPECT_TRUE(held.insert(contributor).second)
                        << "rank " << rank << " counts rank " << contributor << " twice";
                }
            }
        }
        std::erase_if(received, [&](const Received& one) { return one.step < step; });
    }

    void finish(std::uint32_t rank, std::uint32_t index) {
        ++x_done;
        for (const Successor after : x_schedule.successors(rank, index)) {
            if (--x_ranks[rank].waits[after.operation()] == 0) {
                x_ready.emplace_back(rank, after.operation());
            }
        }
    }

    std::map<std::pair<std::uint32_t, std::uint32_t>, Note> x_notes;
    std::set<collectives::BlockId> x_blocks;
    Schedule x_schedule;
    Initial x_initial;
    std::vector<Rank> x_ranks;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> x_ready;
    std::map<Key, std::deque<std::uint32_t>> x_receives;
    std::map<Key, std::deque<Message>> x_messages;
    std::uint32_t x_done = 0;
};

}  // namespace kumi::schedule
