// MPI_Alltoallv by direct messages, on ranks that fill a box. No rank knows the sizes of others'
// messages: in the first steps after the common start all agree on the largest one, and all other
// steps last as if each message had its size.

#include <algorithm>
#include <bit>
#include <climits>
#include <cstring>
#include <vector>

#include "collectives/scheme.hpp"
#include "mpi/collectives/answer.hpp"
#include "mpi/collectives/group_plan.hpp"
#include "mpi/collectives/message_program.hpp"
#include "mpi/collectives/schedule.hpp"
#include "mpi/collectives/step_wakes.hpp"
#include "mpi/collectives/typed_blocks.hpp"
#include "mpi/content/sent_content.hpp"
#include "mpi/wake/session.hpp"

namespace kumi::mpi::collectives {

using namespace kumi::collectives;
namespace {

constexpr CollectiveFunction kFunction = CollectiveFunction::kAlltoallv;

/// Of a message, as MPI counts its bytes by an int.
constexpr std::uint64_t kMostBytes = INT_MAX;

/// Ways of the function, for its keys.
enum : std::uint64_t { kAgreement, kExchange };

/// A number of which all ranks find the largest.
class LargestNumber final : public MessageData {
   public:
    static constexpr std::uint64_t kBytes = sizeof(std::uint64_t);

    explicit LargestNumber(std::uint64_t own) : x_value(own) {}
    std::uint64_t value() const { return x_value; }

    void take(Blocks, std::byte* into) override { std::memcpy(into, &x_value, kBytes); }
    void put(Blocks, const std::byte* from) override { std::memcpy(&x_value, from, kBytes); }
    int add(Blocks, std::byte* from, bool) override {
        std::uint64_t arrived = 0;
        std::memcpy(&arrived, from, kBytes);
        x_value = std::max(x_value, arrived);
        return 0;
    }

   private:
    std::uint64_t x_value;
};

/// What a rank has for each other one, and gets from it, by place. Block o * size + t is from place
/// o for place t.
class UnevenBlocks final : public MessageData {
   public:
    UnevenBlocks(const GroupPlan& plan, const UnevenExchange& call) : x_plan(plan) {
        const UnevenBuffer& sent = call.send.is_in_place() ? call.receive : call.send;
        for (std::uint32_t place = 0; place < plan.size(); ++place) {
            x_sent.push_back(typed(sent, plan.member_at(place), call.communicator));
            x_received.push_back(typed(call.receive, plan.member_at(place), call.communicator));
        }
    }

    /// The bytes for, or from, a place.
    std::uint64_t sent_to(std::uint32_t place) const { return x_sent[place].block_bytes(); }
    std::uint64_t received_from(std::uint32_t place) const {
        return x_received[place].block_bytes();
    }
    /// The bytes of the largest message that this rank sends. What it has for itself counts only
    /// if it is too large.
    std::uint64_t largest() const {
        std::uint64_t found = 0;
        for (std::uint32_t place = 0; place < x_plan.size(); ++place) {
            if (place != x_plan.place() || sent_to(place) > kMostBytes)
                found = std::max(found, sent_to(place));
        }
        return found;
    }
    /// Copies all that is to be sent, before what is received overwrites it.
    int pack() {
        for (const TypedBlocks& block : x_sent) {
            std::vector<std::byte>& bytes = x_packed.emplace_back(block.block_bytes());
            x_error.note(block.pack(0, bytes.data()));
        }
        return x_error.code;
    }
    /// Takes what is for the rank itself. Returns 0 or the first error of MPI's.
    int finish() {
        if (received_from(x_plan.place()) == sent_to(x_plan.place()))
            x_error.note(x_received[x_plan.place()].unpack(0, x_packed[x_plan.place()].data()));
        return x_error.code;
    }

    void take(Blocks blocks, std::byte* into) override {
        const std::vector<std::byte>& bytes = x_packed[blocks[0] % x_plan.size()];
        std::ranges::copy(bytes, into);
    }
    void put(Blocks blocks, const std::byte* from) override {
        x_error.note(x_received[blocks[0] / x_plan.size()].unpack(0, from));
    }
    int add(Blocks, std::byte*, bool) override { return 0; }

   private:
    static TypedBlocks typed(const UnevenBuffer& buffer, std::size_t member, Word communicator) {
        return TypedBlocks({.address = buffer.address,
                            .count = buffer.counts[member],
                            .datatype = buffer.datatype},
                           communicator, buffer.displacements[member]);
    }
    const GroupPlan& x_plan;
    std::vector<TypedBlocks> x_sent, x_received;
    std::vector<std::vector<std::byte>> x_packed;
    FirstError x_error;
};

/// A little more than `bytes`, so that few different sizes are ever used.
std::uint64_t bound_of(std::uint64_t bytes) {
    const int dropped = std::max(static_cast<int>(std::bit_width(bytes)) - 5, 0);
    const std::uint64_t last = (std::uint64_t{1} << dropped) - 1;
    return (bytes + last) & ~last;
}

/// All ranks start together and find the largest number of any of them. `end` is when all have it,
/// after the start.
std::uint64_t agree(GroupPlan& plan, std::uint64_t own, Duration& end, int& error) {
    // A number of this function's, whatever its messages consist of.
    const sent_content::OwnMessages exact;
    const CutVector whole(LargestNumber::kBytes, LargestNumber::kBytes, 1);
    const Way way{
        .variant = kAgreement,
        .sharing = sharing_of_double_sums(plan.lines()),
        .write = [&](RankProgram& program) { double_sums_in_box(program, plan.lines(), whole); }};
    const Schedule schedule =
        fastest_of(plan, kFunction, LargestNumber::kBytes, std::span(&way, 1));
    LargestNumber data(own);
    error = carry_out(plan, kFunction, schedule, data);
    end = schedule.begins.back();
    return data.value();
}

/// From `begin` after the start on, as if each message had `bound` bytes.
int exchange(GroupPlan& plan, UnevenBlocks& blocks, std::uint64_t bound, Duration begin) {
    const BlockId size = plan.size(), self = plan.place();
    const Way timed{.variant = kExchange,
                    .sharing = sharing_of_shift(plan.lines()),
                    .write = [&](RankProgram& program) {
                        shift_in_box(program, plan.lines(),
                                     [&](std::uint32_t target, std::uint32_t) {
                                         program.send(target, bound, {});
                                     });
                    }};
    const Schedule after = schedule_of(plan, {kFunction, bound, kExchange}, timed);
    const bool wakes_links = after.wake_lead > Duration{};
    if (wakes_links) begin += run_link::wake_cost() + after.wake_lead;
    std::vector<Duration> begins(after.begins.begin(), after.begins.end());
    for (Duration& instant : begins) instant += begin;
    const Way moved{.write = [&](RankProgram& steps) {
        shift_in_box(steps, plan.lines(), [&](std::uint32_t target, std::uint32_t source) {
            const BlockId received = source * size + self, sent = self * size + target;
            if (blocks.received_from(source) > 0)
                steps.receive(source, blocks.received_from(source), {&received, 1});
            if (blocks.sent_to(target) > 0) steps.send(target, blocks.sent_to(target), {&sent, 1});
        });
    }};
    if (wakes_links) {
        StepWakes wakes(plan, begins, after.wake_lead);
        moved.write(wakes);
        wake::others_announce_rest();
        wakes.ask_at_once();
    }
    MessageProgram program(plan, kFunction, blocks);
    SchemedProgram schemed(program, begins);
    moved.write(schemed);
    return program.error();
}

}  // namespace

// What decides is the same on all ranks: the communicator, its hosts, and what they agree on.
Outcome answer_alltoallv(const UnevenExchange& call) {
    GroupPlan* plan = plan_for_call(call.communicator);
    if (plan == nullptr) return chosen(kFunction, kArguments);
    if (plan->choice_in_box() != kScheduled) return chosen(kFunction, plan->choice_in_box());
    if (!call.send.makes_sense(plan->size()) || call.receive.is_in_place() ||
        !call.receive.makes_sense(plan->size()))
        return chosen(kFunction, kArguments);
    Outcome outcome = chosen(kFunction, kScheduled);
    UnevenBlocks blocks(*plan, call);
    ask_for_connections(*plan, {.write = [&](RankProgram& program) {
        shift_in_box(program, plan->lines(), [&](std::uint32_t target, std::uint32_t) {
            if (blocks.sent_to(target) > 0) program.send(target, blocks.sent_to(target), {});
        });
    }});
    Duration begin{};
    const std::uint64_t largest = agree(*plan, blocks.largest(), begin, outcome.error);
    if (largest > kMostBytes) {
        outcome.choice = kSize;
        return outcome;
    }
    FirstError error{outcome.error};
    error.note(blocks.pack());
    error.note(largest > 0 ? exchange(*plan, blocks, bound_of(largest), begin) : 0);
    error.note(blocks.finish());
    outcome.error = error.code;
    return outcome;
}

}  // namespace kumi::mpi::collectives
