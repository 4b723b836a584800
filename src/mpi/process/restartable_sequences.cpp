#include "mpi/process/restartable_sequences.hpp"

#include <sys/rseq.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

namespace kumi::mpi {

void forgo_restartable_sequences() {
    // The C library has registered nothing if its settings forbid it.
    if (__rseq_size == 0) return;
    auto* area = static_cast<std::byte*>(__builtin_thread_pointer()) + __rseq_offset;
    // Newer C libraries give the part in use as the size, which may be less than was registered.
    ::syscall(SYS_rseq, area, sizeof(struct rseq), RSEQ_FLAG_UNREGISTER, RSEQ_SIG);
}

}  // namespace kumi::mpi
