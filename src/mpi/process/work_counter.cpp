#include "mpi/process/work_counter.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>

#include "mpi/run_link.hpp"

namespace kumi::mpi {

// The names are those that src/passes gives to what it adds to a program.
void follow_work_of_this_thread() {
    // Of a thread-local variable, the calling thread's.
    const void* work = ::dlsym(RTLD_DEFAULT, "kumi_work");
    const void* rate = ::dlsym(RTLD_DEFAULT, "kumi_work_flops_per_kilocycle");
    if (work != nullptr && rate != nullptr) {
        run_link::follow_work(static_cast<const std::uint64_t*>(work),
                              *static_cast<const std::uint64_t*>(rate));
        return;
    }
    run_link::refuse(
        "the program does not count its work: build and link it with \"kumihimo cc\" (c++, fc), or "
        "choose --compute measured or none");
    std::_Exit(1);
}

}  // namespace kumi::mpi
