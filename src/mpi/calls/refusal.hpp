#pragma once

#include <cstdint>
#include <string_view>

#include "base/call_name.hpp"
#include "mpi/function_name.hpp"
#include "mpi/real_function.hpp"

/// Functions of MPI that would add processes to a run, or join two: they return an MPI error.
namespace kumi::mpi {

/// Which of a function's arguments is what, from 0; -1 where there is none. They are the same in C
/// and Fortran.
struct RefusedFunction {
    int communicator = -1;  ///< Whose error handler is asked; else that of MPI_COMM_SELF.
    int made = -1;          ///< The new communicator.
    int processes = -1;     ///< How many each program shall have.
    int programs = -1;      ///< How many programs; else one.
    int root = -1;          ///< The only rank that says how many.
    int codes = -1;         ///< An error code for each process.
    int error = -1;         ///< In Fortran.
    bool starts_processes() const { return codes >= 0; }
    /// It meets others at a port; else, if it starts no processes, over a socket.
    bool needs_port() const { return communicator >= 0 && !starts_processes(); }
};

/// Of the function with this name, in C or Fortran.
constexpr RefusedFunction refused_function(std::string_view name) {
    if (is_function(name, "comm_spawn"))
        return {.communicator = 5, .made = 6, .processes = 2, .root = 4, .codes = 7, .error = 8};
    if (is_function(name, "comm_spawn_multiple"))
        return {.communicator = 6,
                .made = 7,
                .processes = 3,
                .programs = 0,
                .root = 5,
                .codes = 8,
                .error = 9};
    if (is_function(name, "comm_join")) return {.made = 1, .error = 2};
    return {.communicator = 3, .made = 4, .error = 5};
}

/// Whether such a call is refused here: in virtual time.
bool refuses_calls();

/// What the call of `function` with `arguments` returns, after the error handler was called. If
/// that is one that ends the program, ends the run with a message instead, and does not return.
std::intptr_t refuse_call(const CallName& name, const RefusedFunction& function, Language language,
                          const Word* arguments);

}  // namespace kumi::mpi
