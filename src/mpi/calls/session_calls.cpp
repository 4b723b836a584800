// MPI_Session_init and MPI_Session_finalize. Open MPI 4 lacks them, and its shim must not have
// them.

#include "mpi/calls/sessions.hpp"
#include "mpi/export.hpp"
#include "mpi/process/rank_process.hpp"
#include "mpi/real_function.hpp"

using namespace kumi::mpi;

KUMI_EXPORT std::intptr_t MPI_Session_init(Word info, Word handler, Word session) {
    static constinit RealFunction real{"PMPI_Session_init"};
    static constexpr kumi::CallName kName{"MPI_Session_init"};
    const bool is_rank = attach_to_run();
    if (is_rank && !in_virtual_time()) sessions::begin_virtual_time();
    const CallScope scope(CallClass::kBlocking, kName, __builtin_return_address(0));
    const auto result = real.as<std::intptr_t (*)(Word, Word, Word)>()(info, handler, session);
    if (is_rank && static_cast<int>(result) == 0) sessions::note_opened();
    return result;
}

KUMI_EXPORT std::intptr_t MPI_Session_finalize(Word session) {
    static constinit RealFunction real{"PMPI_Session_finalize"};
    static constexpr kumi::CallName kName{"MPI_Session_finalize"};
    const bool is_rank = in_virtual_time();
    const CallScope scope(CallClass::kBlocking, kName, __builtin_return_address(0));
    const auto result = real.as<std::intptr_t (*)(Word)>()(session);
    if (is_rank && static_cast<int>(result) == 0) sessions::note_closed();
    return result;
}
