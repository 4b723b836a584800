#include "schedule/check/delivery.hpp"

#include <utility>
#include <vector>

#include "base/check.hpp"
#include "collectives/watching_program.hpp"
#include "schedule/check/step_check.hpp"
#include "schedule/work_watch.hpp"

namespace kumi::schedule {
namespace {

/// Steps are carried out together as long as their messages carry no more blocks.
constexpr std::uint64_t kMostBlocksAtOnce = 1 << 24;

/// What a message carries, as one of its ends calls it.
struct Contents {
    std::uint32_t rank = 0;
    std::uint32_t peer = 0;
    std::vector<std::uint32_t> blocks;
};
struct Step {
    std::vector<Contents> sent, received;
};

/// Collects the contents of messages in a range of steps.
class ContentsSink final : public collectives::WatchingProgram {
   public:
    ContentsSink(std::uint32_t rank, std::uint32_t ranks, std::uint32_t first,
                 std::vector<Step>& steps)
        : collectives::WatchingProgram(rank, ranks), x_first(first), x_steps(steps) {}

    bool wants_blocks() const override {
        return step() >= x_first && step() - x_first < x_steps.size();
    }
    void sends(const Message& message) override {
        if (wants_blocks()) add(x_steps[step() - x_first].sent, message);
    }
    void receives(const Message& message) override {
        if (wants_blocks()) add(x_steps[step() - x_first].received, message);
    }

   private:
    void add(std::vector<Contents>& list, const Message& message) {
        list.push_back({rank(), message.peer, {message.blocks.begin(), message.blocks.end()}});
    }

    std::uint32_t x_first;
    std::vector<Step>& x_steps;
};

/// Where every block is.
class Holders {
   public:
    explicit Holders(std::uint32_t ranks)
        : x_ranks(ranks), x_holders(std::size_t{ranks} * ranks), x_is_moving(x_holders.size()) {
        for (std::size_t block = 0; block < x_holders.size(); ++block) {
            x_holders[block] = static_cast<std::uint32_t>(block / ranks);
        }
        x_delivery.blocks = x_holders.size();
    }

    void carry_out(const Step& step, std::uint32_t number) {
        std::uint64_t sent = 0, received = 0;
        for (const Contents& message : step.sent) {
            sent += message.blocks.size();
            for (const std::uint32_t block : message.blocks) {
                if (x_holders[block] == message.rank) continue;
                complain(number, message.rank, " sends ", block, " without holding it");
            }
        }
        for (const Contents& message : step.sent) {
            for (const std::uint32_t block : message.blocks) {
                x_holders[block] = message.peer;
                x_is_moving[block] = true;
            }
        }
        for (const Contents& message : step.received) {
            received += message.blocks.size();
            for (const std::uint32_t block : message.blocks) {
                const bool is_sent = x_is_moving[block] && x_holders[block] == message.rank;
                x_is_moving[block] = false;
                if (is_sent) continue;
                complain(number, message.rank, " expects ", block, ", which it is not sent");
            }
        }
        if (sent == received) return;
        wrong("in step " + std::to_string(number + 1) + ", " + std::to_string(sent) +
              " blocks are sent and " + std::to_string(received) + " are expected");
    }

    Delivery finish() {
        for (std::size_t block = 0; block < x_holders.size(); ++block) {
            if (x_holders[block] == block % x_ranks) continue;
            wrong(name(block) + " ends at rank " + std::to_string(x_holders[block]));
        }
        return std::move(x_delivery);
    }

   private:
    std::string name(std::size_t block) const {
        return "the block of rank " + std::to_string(block / x_ranks) + " for rank " +
               std::to_string(block % x_ranks);
    }
    void complain(std::uint32_t step, std::uint32_t rank, const char* verb, std::uint32_t block,
                  const char* problem) {
        wrong("in step " + std::to_string(step + 1) + ", rank " + std::to_string(rank) + verb +
              name(block) + problem);
    }
    void wrong(std::string what) {
        if (x_delivery.wrong++ == 0) x_delivery.first_wrong = std::move(what);
    }

    std::uint32_t x_ranks;
    std::vector<std::uint32_t> x_holders;
    std::vector<bool> x_is_moving;  ///< Sent in this step, and not yet expected.
    Delivery x_delivery;
};

/// The blocks that each step's messages carry.
std::vector<std::uint64_t> blocks_of_steps(const collectives::Pattern& alltoall,
                                           std::uint32_t ranks) {
    std::vector<std::uint64_t> blocks;
    for (const StepMessage& message : messages_of(alltoall, ranks)) {
        if (blocks.size() <= message.step) blocks.resize(message.step + 1);
        blocks[message.step] += message.size_bytes;
    }
    return blocks;
}

}  // namespace

Delivery check_delivery(const collectives::Pattern& alltoall, std::uint32_t ranks) {
    KUMI_ASSERT(ranks <= kMostCheckedRanks, "the blocks of a larger all-to-all have no numbers");
    const std::vector<std::uint64_t> blocks = blocks_of_steps(alltoall, ranks);
    Holders holders(ranks);
    for (std::size_t first = 0; first < blocks.size();) {
        std::size_t end = first + 1;
        std::uint64_t sum = blocks[first];
        while (end < blocks.size() && sum + blocks[end] <= kMostBlocksAtOnce) sum += blocks[end++];
        std::vector<Step> steps(end - first);
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            ContentsSink sink(rank, ranks, static_cast<std::uint32_t>(first), steps);
            alltoall.write(sink);
            WorkWatch::count(sum / ranks);
        }
        for (std::size_t step = first; step < end; ++step) {
            holders.carry_out(steps[step - first], static_cast<std::uint32_t>(step));
        }
        first = end;
    }
    return holders.finish();
}

}  // namespace kumi::schedule
