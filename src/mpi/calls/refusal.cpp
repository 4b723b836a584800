#include "mpi/calls/refusal.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "mpi/process/rank_process.hpp"
#include "mpi/wake/communicator.hpp"

namespace kumi::mpi {
namespace {

constinit MpiFunction<int(Word)> real_to_fortran{"PMPI_Comm_c2f"};
constinit MpiFunction<int(Word, Word*)> real_get_handler{"PMPI_Comm_get_errhandler"};
constinit MpiFunction<int(Word*)> real_free_handler{"PMPI_Errhandler_free"};
constinit MpiFunction<int(Word, int)> real_call_handler{"PMPI_Comm_call_errhandler"};
constinit MpiFunction<int(Word, int*)> real_rank{"PMPI_Comm_rank"};

Word communicator_of(const RefusedFunction& function, Language language, const Word* arguments) {
    if (function.communicator < 0) return known_abi().comm_self;
    return wake::communicator_of(arguments[function.communicator], language);
}

/// Whether an error on this communicator ends the program.
bool is_fatal(Word communicator) {
    const MpiAbi& abi = known_abi();
    Word handler = 0;
    if (real_get_handler(communicator, &handler) != 0) return false;
    if (handler == abi.errors_are_fatal) return true;
    if (handler == abi.errors_abort && handler != 0) return true;
    real_free_handler(&handler);
    return false;
}

/// No program ever comes to a port: for the caller there is none.
int error_of(const RefusedFunction& function) {
    const MpiAbi& abi = known_abi();
    if (function.starts_processes()) return abi.error_spawn;
    return function.needs_port() ? abi.error_port : abi.error_unsupported;
}

/// Returns no new communicator to the program, nor any process. MPI_ERRCODES_IGNORE is zero in C,
/// and anything in Fortran.
void give_nothing(const RefusedFunction& function, Language language, const Word* arguments,
                  Word communicator, int code) {
    const MpiAbi& abi = known_abi();
    void* made = reinterpret_cast<void*>(arguments[function.made]);
    if (language != Language::kC) {
        const int null = real_to_fortran(abi.comm_null);
        std::memcpy(made, &null, sizeof null);
        const Word error = arguments[function.error];
        if (error != 0) *reinterpret_cast<int*>(error) = code;
        return;
    }
    std::memcpy(made, &abi.comm_null, abi.handle_bytes());
    if (!function.starts_processes() || arguments[function.codes] == 0) return;
    int rank = -1;
    real_rank(communicator, &rank);
    if (rank != static_cast<int>(arguments[function.root])) return;
    int processes = static_cast<int>(arguments[function.processes]);
    if (function.programs >= 0) {
        const auto* each = reinterpret_cast<const int*>(arguments[function.processes]);
        processes = 0;
        for (int i = 0; i < static_cast<int>(arguments[function.programs]); ++i)
            processes += each[i];
    }
    for (int i = 0; i < processes; ++i) reinterpret_cast<int*>(arguments[function.codes])[i] = code;
}

}  // namespace

bool refuses_calls() { return in_virtual_time(); }

std::intptr_t refuse_call(const CallName& name, const RefusedFunction& function, Language language,
                          const Word* arguments) {
    const Word communicator = communicator_of(function, language, arguments);
    char text[200];
    std::snprintf(text, sizeof text,
                  "%s is not supported in a simulated run: its number of processes is fixed",
                  name.text);
    if (is_fatal(communicator)) {
        run_link::refuse(text);
        std::_Exit(1);
    }
    if (run_link::note_refused(name))
        std::fprintf(stderr, "kumihimo: %s; the program gets an error\n", text);
    const int code = error_of(function);
    give_nothing(function, language, arguments, communicator, code);
    real_call_handler(communicator, code);
    return code;
}

}  // namespace kumi::mpi
