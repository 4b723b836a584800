#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "collectives/rank_program.hpp"
#include "mpi/collectives/group_plan.hpp"
#include "mpi/collectives/message_data.hpp"

namespace kumi::mpi::collectives {

/// Carries out what an algorithm calls for this rank: by point-to-point calls of the MPI library,
/// within an MPI call of the program. Ranks are places of the plan.
class MessageProgram final : public RankProgram {
   public:
    /// All ranks make theirs, before their common start.
    MessageProgram(GroupPlan& plan, CollectiveFunction function, MessageData& data);
    ~MessageProgram() override = default;

    bool wants_blocks() const override { return true; }
    /// Of sums, what the rank of the lower place has is the left operand, so that pairs that
    /// exchange come to the same.
    void take_part(const Message& message) override;
    void next_step() override;
    void synchronise() override;
    void wait_until(Duration after_start) override;

    /// 0, or the first error of MPI's.
    int error() const { return x_error.code; }

   private:
    struct Incoming {
        std::vector<BlockId> blocks;
        std::vector<std::byte> bytes;
        std::uint32_t source = 0;
        bool is_added = false;
    };

    void send_now(const Message& message);
    void expect(const Message& message);
    /// Where the MPI library puts the handle of one more request of this step.
    void* new_request();

    GroupPlan& x_plan;
    CollectiveFunction x_function;
    Word x_communicator;
    MessageData& x_data;
    std::vector<std::vector<std::byte>> x_outgoing;
    std::vector<Incoming> x_incoming;
    std::vector<std::byte> x_requests;  ///< Handles, as an array for the MPI library.
    std::size_t x_request_count = 0;
    FirstError x_error;
};

}  // namespace kumi::mpi::collectives
