// MPI_Init, MPI_Init_thread, MPI_Finalize and MPI_Abort, in C and Fortran.

#include <cstdio>

#include "mpi/calls/sessions.hpp"
#include "mpi/calls/untouched_memory.hpp"
#include "mpi/collectives/calls.hpp"
#include "mpi/export.hpp"
#include "mpi/process/open_mpi_timers.hpp"
#include "mpi/process/rank_process.hpp"
#include "mpi/real_function.hpp"

namespace kumi::mpi {
namespace {

constinit MpiFunction<int(Word)> real_barrier{"PMPI_Barrier"};
constinit MpiFunction<int(int*)> real_initialized{"PMPI_Initialized"};
constinit MpiFunction<int(int*)> real_query_thread{"PMPI_Query_thread"};

/// MPI_THREAD_SINGLE of every MPI library.
constexpr int kSingleThread = 0;

int thread_level() {
    int level = kSingleThread;
    real_query_thread(&level);
    return level;
}

/// After the library's own MPI_Init, in whichever language. The outermost and innermost of nested
/// ones, and a second one that failed, find virtual time already begun.
void begin_virtual_time() {
    int initialized = 0;
    real_initialized(&initialized);
    if (initialized == 0 || stage() != Stage::kStarting) return;
    give_timers_to_open_mpi();
    // Brings up what the library connects at first use, in real time.
    real_barrier(loaded_abi().comm_world);
    collectives::prepare();
    const int level = thread_level();
    join_run(/*alone_calls_mpi=*/level < loaded_abi().thread_serialized);
    // Threads of a program that has said it has none belong to a library, which only works in them.
    if (has_threads() && level != kSingleThread) run_link::keep_in_time();
}

void end_virtual_time() {
    if (!in_virtual_time()) return;
    finish_run();
    collectives::end();
    spare_untouched_memory();
    sessions::close_own();
}

/// The thread level to ask the library for. A rank has one thread of virtual time; more could not
/// be ordered. The library itself then reports to the program what it has got.
int granted_level(int required) {
    const MpiAbi abi = loaded_abi();
    return required == abi.thread_multiple ? abi.thread_serialized : required;
}

void explain_level(int required, int granted) {
    if (required == granted || !in_virtual_time() || run_link::rank() != 0) return;
    std::fprintf(stderr,
                 "kumihimo: the program asked for MPI_THREAD_MULTIPLE; a simulated run gives it "
                 "MPI_THREAD_SERIALIZED\n");
}

std::intptr_t initialize(RealFunction& real, Word a0, Word a1, Word a2) {
    const bool is_rank = attach_to_run();
    const std::intptr_t result = real.as<std::intptr_t (*)(Word, Word, Word)>()(a0, a1, a2);
    if (is_rank) begin_virtual_time();
    return result;
}

std::intptr_t initialize_thread_fortran(RealFunction& real, const int* required, Word provided,
                                        Word error) {
    const bool is_rank = attach_to_run();
    const int granted = is_rank ? granted_level(*required) : *required;
    const std::intptr_t result =
        real.as<std::intptr_t (*)(const int*, Word, Word)>()(&granted, provided, error);
    if (is_rank) begin_virtual_time();
    explain_level(*required, granted);
    return result;
}

void note_abort(int code) {
    if (in_virtual_time() || (stage() == Stage::kStarting && attach_to_run()))
        run_link::program_aborts(code);
}

}  // namespace
}  // namespace kumi::mpi

using namespace kumi::mpi;

KUMI_EXPORT std::intptr_t MPI_Init(Word argc, Word argv) {
    static constinit RealFunction real{"PMPI_Init"};
    return initialize(real, argc, argv, 0);
}

KUMI_EXPORT std::intptr_t MPI_Init_thread(Word argc, Word argv, int required, Word provided) {
    static constinit RealFunction real{"PMPI_Init_thread"};
    const bool is_rank = attach_to_run();
    const int granted = is_rank ? granted_level(required) : required;
    const std::intptr_t result =
        real.as<std::intptr_t (*)(Word, Word, int, Word)>()(argc, argv, granted, provided);
    if (is_rank) begin_virtual_time();
    explain_level(required, granted);
    return result;
}

KUMI_EXPORT std::intptr_t mpi_init_(Word error) {
    static constinit RealFunction real{"pmpi_init_"};
    return initialize(real, error, 0, 0);
}

KUMI_EXPORT std::intptr_t mpi_init_f08_(Word error) {
    static constinit RealFunction real{"pmpi_init_f08_"};
    return initialize(real, error, 0, 0);
}

KUMI_EXPORT std::intptr_t mpi_init_thread_(const int* required, Word provided, Word error) {
    static constinit RealFunction real{"pmpi_init_thread_"};
    return initialize_thread_fortran(real, required, provided, error);
}

KUMI_EXPORT std::intptr_t mpi_init_thread_f08_(const int* required, Word provided, Word error) {
    static constinit RealFunction real{"pmpi_init_thread_f08_"};
    return initialize_thread_fortran(real, required, provided, error);
}

KUMI_EXPORT std::intptr_t MPI_Finalize() {
    static constinit RealFunction real{"PMPI_Finalize"};
    end_virtual_time();
    return real.as<std::intptr_t (*)()>()();
}

KUMI_EXPORT std::intptr_t mpi_finalize_(Word error) {
    static constinit RealFunction real{"pmpi_finalize_"};
    end_virtual_time();
    return real.as<std::intptr_t (*)(Word)>()(error);
}

KUMI_EXPORT std::intptr_t mpi_finalize_f08_(Word error) {
    static constinit RealFunction real{"pmpi_finalize_f08_"};
    end_virtual_time();
    return real.as<std::intptr_t (*)(Word)>()(error);
}

KUMI_EXPORT std::intptr_t MPI_Abort(Word communicator, int code) {
    static constinit RealFunction real{"PMPI_Abort"};
    note_abort(code);
    return real.as<std::intptr_t (*)(Word, int)>()(communicator, code);
}

KUMI_EXPORT std::intptr_t mpi_abort_(Word communicator, const int* code, Word error) {
    static constinit RealFunction real{"pmpi_abort_"};
    note_abort(*code);
    return real.as<std::intptr_t (*)(Word, const int*, Word)>()(communicator, code, error);
}

KUMI_EXPORT std::intptr_t mpi_abort_f08_(Word communicator, const int* code, Word error) {
    static constinit RealFunction real{"pmpi_abort_f08_"};
    note_abort(*code);
    return real.as<std::intptr_t (*)(Word, const int*, Word)>()(communicator, code, error);
}
