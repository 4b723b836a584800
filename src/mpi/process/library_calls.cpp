// Functions of the C library that do less for an MPI library than for programs.

#include <aio.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "mpi/clocks/caller.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/export.hpp"
#include "mpi/process/rank_process.hpp"

using namespace kumi::mpi;

namespace {

/// Whether an MPI function of a rank in virtual time has called the present one.
bool is_in_call() { return in_virtual_time() && detail::call_depth > 0; }

// Asynchronous operations on files, which MPI libraries start inside MPI-IO.
//
// They would be over some time later in real time, which has nothing to do with virtual time: how
// often a rank polls until then would differ from run to run. So they are carried out when they are
// started, without the C library's threads. Those of the program itself stay what they are.

/// An MPI library waits by asking. With anything that shall happen at the end it is left to the C
/// library.
bool is_carried_out(const sigevent& end) {
    const bool is_asked_for = end.sigev_notify == SIGEV_NONE ||
                              (end.sigev_notify == SIGEV_SIGNAL && end.sigev_signo == 0);
    return is_asked_for && is_in_call();
}

/// Carries it out by pread or pwrite; what came out is where aio_error and aio_return of the C
/// library find it.
template <class Operation, class Transfer>
int carry_out(NextFunction<int(Operation*)>& real, Operation* operation, Transfer transfer) {
    if (!is_carried_out(operation->aio_sigevent)) return real(operation);
    const ssize_t bytes = transfer(operation->aio_fildes, const_cast<void*>(operation->aio_buf),
                                   operation->aio_nbytes, operation->aio_offset);
    operation->__error_code = bytes < 0 ? errno : 0;
    operation->__return_value = bytes;
    return 0;
}

}  // namespace

KUMI_EXPORT int aio_read(aiocb* operation) noexcept {
    static constinit NextFunction<int(aiocb*)> real{"aio_read"};
    return carry_out(real, operation, ::pread);
}

KUMI_EXPORT int aio_write(aiocb* operation) noexcept {
    static constinit NextFunction<int(aiocb*)> real{"aio_write"};
    return carry_out(real, operation, ::pwrite);
}

KUMI_EXPORT int aio_read64(aiocb64* operation) noexcept {
    static constinit NextFunction<int(aiocb64*)> real{"aio_read64"};
    return carry_out(real, operation, ::pread);
}

KUMI_EXPORT int aio_write64(aiocb64* operation) noexcept {
    static constinit NextFunction<int(aiocb64*)> real{"aio_write64"};
    return carry_out(real, operation, ::pwrite);
}

// fopen: an MPI library finds no list of the kernel's symbols, which has some megabytes.
//
// At its start, libfabric's provider for InfiniBand looks there for two functions of drivers, in
// every rank: 0.1 to 0.2 s of each, although ranks use no provider but Kumihimo's. Without the file
// it takes the functions for missing.
KUMI_EXPORT FILE* fopen(const char* path, const char* mode) {
    static constinit NextFunction<FILE*(const char*, const char*)> next{"fopen"};
    const bool is_symbols = path != nullptr && std::strcmp(path, "/proc/kallsyms") == 0;
    if (!is_symbols || !is_implementation_code(KUMI_CALLER)) return next(path, mode);
    errno = ENOENT;
    return nullptr;
}

// MPI libraries yield the processor while they wait. Inside an MPI call of a rank in virtual time
// that is only lost time: no other rank may run before this one hands over the baton.
KUMI_EXPORT int sched_yield() noexcept {
    if (is_in_call()) return 0;
    return static_cast<int>(::syscall(SYS_sched_yield));
}
