#include "mpi/calls/sessions.hpp"

#include <cstdlib>

#include "mpi/calls/untouched_memory.hpp"
#include "mpi/process/rank_process.hpp"
#include "mpi/real_function.hpp"

namespace kumi::mpi::sessions {
namespace {

constinit MpiFunction<int(Word*)> real_info_create{"PMPI_Info_create"};
constinit MpiFunction<int(Word, const char*, const char*)> real_info_set{"PMPI_Info_set"};
constinit MpiFunction<int(Word*)> real_info_free{"PMPI_Info_free"};
constinit MpiFunction<int(Word, Word, Word*)> real_init{"PMPI_Session_init"};
constinit MpiFunction<int(Word*)> real_finalize{"PMPI_Session_finalize"};
constinit MpiFunction<int(Word, const char*, Word*)> real_group{"PMPI_Group_from_session_pset"};
constinit MpiFunction<int(Word*)> real_group_free{"PMPI_Group_free"};
constinit MpiFunction<int(Word, const char*, Word, Word, Word*)> real_create{
    "PMPI_Comm_create_from_group"};
constinit MpiFunction<int(Word*)> real_comm_free{"PMPI_Comm_free"};
constinit MpiFunction<int(Word)> real_barrier{"PMPI_Barrier"};
constinit MpiFunction<int(int*)> real_initialized{"PMPI_Initialized"};

// Handles of MPICH are integers of 32 bits, and fill the lower half.
constinit Word own = 0;
constinit bool has_own = false;
constinit int open_sessions = 0;

/// Makes the library connect the ranks: with a process manager that knows no barriers of a part of
/// them, MPICH makes its world when the first communicator is made from a group.
void connect(Word info) {
    const Word fatal = loaded_abi().errors_are_fatal;
    Word group = 0, communicator = 0;
    real_group(own, "mpi://SELF", &group);
    real_create(group, "kumihimo", info, fatal, &communicator);
    real_group_free(&group);
    real_comm_free(&communicator);
}

/// A program with sessions alone has no MPI_Finalize: virtual time ends with its processes. One
/// that has left something open ends early, as without MPI_Finalize.
void end_virtual_time() {
    int has_world = 0;
    real_initialized(&has_world);
    if (!in_virtual_time() || open_sessions > 0 || has_world != 0) return;
    finish_run();
    spare_untouched_memory();
    close_own();
}

}  // namespace

void begin_virtual_time() {
    Word info = 0;
    real_info_create(&info);
    // The library has one thread level, that of the first request.
    real_info_set(info, "thread_level", "MPI_THREAD_SERIALIZED");
    real_init(info, loaded_abi().errors_are_fatal, &own);
    has_own = true;
    // Before what the library itself does at the end of the process.
    std::atexit(end_virtual_time);
    connect(info);
    real_info_free(&info);
    // The other ranks may be in MPI_Init.
    real_barrier(loaded_abi().comm_world);
    join_run(/*alone_calls_mpi=*/false);
    if (has_threads()) run_link::keep_in_time();
}

void note_opened() { ++open_sessions; }
void note_closed() { --open_sessions; }

void close_own() {
    if (!has_own) return;
    has_own = false;
    real_finalize(&own);
}

}  // namespace kumi::mpi::sessions
