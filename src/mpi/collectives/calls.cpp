#include "mpi/collectives/calls.hpp"

#include "conductor/port/collective_port.hpp"
#include "mpi/collectives/answer.hpp"
#include "mpi/collectives/arguments.hpp"
#include "mpi/collectives/group_plan.hpp"
#include "mpi/run_link.hpp"

namespace kumi::mpi::collectives {

constinit bool detail::is_on = false;

namespace {

Outcome answer(Kind kind, const Word* arguments, const Form& form) {
    switch (kind) {
        case Kind::kAlltoall:
            return answer_alltoall(exchange_of(arguments, form));
        case Kind::kBarrier:
            return answer_barrier(barrier_of(arguments, form));
        case Kind::kAllreduce:
            return answer_allreduce(reduction_of(arguments, form));
        case Kind::kBcast:
            return answer_bcast(broadcast_of(arguments, form));
        case Kind::kAllgather:
            return answer_allgather(exchange_of(arguments, form));
        case Kind::kAlltoallv:
            return answer_alltoallv(uneven_exchange_of(arguments, form));
        case Kind::kReduceScatterBlock:
            return answer_reduce_scatter_block(reduction_of(arguments, form));
        case Kind::kNone:
            break;
    }
    return {};
}

}  // namespace

void prepare() {
    if (!run_link::schedules_collectives()) return;
    GroupPlan* plan = plan_of(known_abi().comm_world);
    if (plan->choice_in_box() == kScheduled) (void)plan->own_communicator();
}

void begin() { detail::is_on = run_link::schedules_collectives(); }

void end() {
    if (!detail::is_on) return;
    detail::is_on = false;
    forget_plan(known_abi().comm_world);
}

Outcome detail::carry_out(Kind kind, const Word* arguments, const Form& form) {
    const Outcome outcome = answer(kind, arguments, form);
    if (outcome.choice == kScheduled && form.language == Language::kFortran) {
        const Word error = arguments[error_of(kind)];
        if (error != 0) *reinterpret_cast<int*>(error) = outcome.error;
    }
    return outcome;
}

Outcome chosen(CollectiveFunction function, CollectiveChoice choice) {
    run_link::collectives().note_collective(function, choice, /*begins=*/true);
    return {.function = function, .choice = choice};
}

void detail::note_end(const Outcome& outcome) {
    run_link::collectives().note_collective(outcome.function, outcome.choice, /*begins=*/false);
}

}  // namespace kumi::mpi::collectives
