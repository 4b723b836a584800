// The program starts other programs. What a thread may do with the processor's counter outlives
// exec, the shim's handler does not: the C library of the new program would die of its first
// reading. So the counter is free while that is started.

#include <spawn.h>
#include <stdio.h>
#include <unistd.h>

#include <cstdarg>
#include <cstddef>
#include <cstdlib>

#include "mpi/clocks/real_time.hpp"
#include "mpi/export.hpp"
#include "mpi/process/processor_counter.hpp"

using namespace kumi::mpi;

namespace {

using Strings = char* const*;

/// Calls `run` with the arguments of one of the functions that take them one by one, up to a null
/// pointer. `rest` stands behind `first`.
template <class Run>
int with_list(const char* first, va_list rest, Run&& run) {
    va_list counted;
    va_copy(counted, rest);
    std::size_t count = 1;
    if (first != nullptr)
        while (va_arg(counted, const char*) != nullptr) ++count;
    va_end(counted);
    // On the stack: the caller may be the child of a vfork.
    auto** list = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*)));
    list[0] = const_cast<char*>(first);
    for (std::size_t i = 1; i <= count; ++i)
        list[i] = first == nullptr ? nullptr : va_arg(rest, char*);
    return run(static_cast<Strings>(list));
}

}  // namespace

KUMI_EXPORT int execve(const char* path, Strings arguments, Strings environment) noexcept {
    static constinit NextFunction<int(const char*, Strings, Strings)> next{"execve"};
    const FreeCounter free;
    return next(path, arguments, environment);
}

KUMI_EXPORT int execv(const char* path, Strings arguments) noexcept {
    return execve(path, arguments, environ);
}

KUMI_EXPORT int execvpe(const char* file, Strings arguments, Strings environment) noexcept {
    static constinit NextFunction<int(const char*, Strings, Strings)> next{"execvpe"};
    const FreeCounter free;
    return next(file, arguments, environment);
}

KUMI_EXPORT int execvp(const char* file, Strings arguments) noexcept {
    return execvpe(file, arguments, environ);
}

KUMI_EXPORT int fexecve(int file, Strings arguments, Strings environment) noexcept {
    static constinit NextFunction<int(int, Strings, Strings)> next{"fexecve"};
    const FreeCounter free;
    return next(file, arguments, environment);
}

KUMI_EXPORT int execl(const char* path, const char* argument, ...) noexcept {
    va_list rest;
    va_start(rest, argument);
    const int result =
        with_list(argument, rest, [&](Strings list) { return execve(path, list, environ); });
    va_end(rest);
    return result;
}

KUMI_EXPORT int execlp(const char* file, const char* argument, ...) noexcept {
    va_list rest;
    va_start(rest, argument);
    const int result =
        with_list(argument, rest, [&](Strings list) { return execvpe(file, list, environ); });
    va_end(rest);
    return result;
}

KUMI_EXPORT int execle(const char* path, const char* argument, ...) noexcept {
    va_list rest;
    va_start(rest, argument);
    const int result = with_list(
        argument, rest, [&](Strings list) { return execve(path, list, va_arg(rest, Strings)); });
    va_end(rest);
    return result;
}

KUMI_EXPORT int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                            const posix_spawnattr_t* attributes, Strings arguments,
                            Strings environment) {
    static constinit NextFunction next{::posix_spawn, "posix_spawn", "GLIBC_2.15"};
    const FreeCounter free;
    return next(pid, path, actions, attributes, arguments, environment);
}

KUMI_EXPORT int posix_spawnp(pid_t* pid, const char* file,
                             const posix_spawn_file_actions_t* actions,
                             const posix_spawnattr_t* attributes, Strings arguments,
                             Strings environment) {
    static constinit NextFunction next{::posix_spawnp, "posix_spawnp", "GLIBC_2.15"};
    const FreeCounter free;
    return next(pid, file, actions, attributes, arguments, environment);
}

KUMI_EXPORT int system(const char* command) {
    static constinit NextFunction<int(const char*)> next{"system"};
    const FreeCounter free;
    return next(command);
}

KUMI_EXPORT FILE* popen(const char* command, const char* type) {
    static constinit NextFunction<FILE*(const char*, const char*)> next{"popen"};
    const FreeCounter free;
    return next(command, type);
}
