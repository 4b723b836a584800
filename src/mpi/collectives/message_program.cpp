#include "mpi/collectives/message_program.hpp"

#include "conductor/port/collective_port.hpp"

namespace kumi::mpi::collectives {

using namespace kumi::collectives;
namespace {

constinit MpiFunction<int(const void*, int, Word, int, int, Word, void*)> real_send{"PMPI_Isend"};
constinit MpiFunction<int(void*, int, Word, int, int, Word, void*)> real_receive{"PMPI_Irecv"};
constinit MpiFunction<int(int, void*, void*)> real_wait_all{"PMPI_Waitall"};

}  // namespace

MessageProgram::MessageProgram(GroupPlan& plan, CollectiveFunction function, MessageData& data)
    : RankProgram(plan.place(), plan.size()),
      x_plan(plan),
      x_function(function),
      x_communicator(plan.own_communicator()),
      x_data(data) {}

void* MessageProgram::new_request() {
    const std::size_t bytes = known_abi().handle_bytes();
    x_requests.resize((x_request_count + 1) * bytes);
    return x_requests.data() + x_request_count++ * bytes;
}

void MessageProgram::take_part(const Message& message) {
    message.role == Role::kSends ? send_now(message) : expect(message);
}

void MessageProgram::send_now(const Message& message) {
    std::vector<std::byte>& bytes = x_outgoing.emplace_back(message.size_bytes);
    x_data.take(message.blocks, bytes.data());
    x_error.note(real_send(bytes.data(), static_cast<int>(message.size_bytes), known_abi().byte,
                           static_cast<int>(x_plan.member_at(message.peer)),
                           static_cast<int>(message.tag), x_communicator, new_request()));
}

void MessageProgram::expect(const Message& message) {
    Incoming& incoming =
        x_incoming.emplace_back(Incoming{{message.blocks.begin(), message.blocks.end()},
                                         std::vector<std::byte>(message.size_bytes),
                                         message.peer,
                                         message.role == Role::kAdds});
    x_error.note(real_receive(incoming.bytes.data(), static_cast<int>(message.size_bytes),
                              known_abi().byte, static_cast<int>(x_plan.member_at(message.peer)),
                              static_cast<int>(message.tag), x_communicator, new_request()));
}

void MessageProgram::next_step() {
    if (x_request_count > 0) {
        std::vector<Status> statuses(x_request_count);
        x_error.note(
            real_wait_all(static_cast<int>(x_request_count), x_requests.data(), statuses.data()));
    }
    for (Incoming& incoming : x_incoming) {
        if (incoming.is_added)
            x_error.note(
                x_data.add(incoming.blocks, incoming.bytes.data(), incoming.source < rank()));
        else
            x_data.put(incoming.blocks, incoming.bytes.data());
    }
    x_incoming.clear();
    x_outgoing.clear();
    x_request_count = 0;
}

void MessageProgram::synchronise() { x_error.note(x_plan.start_together()); }

void MessageProgram::wait_until(Duration after_start) {
    run_link::collectives().wait_after_start(x_plan.start_member(), after_start, x_function);
}

}  // namespace kumi::mpi::collectives
