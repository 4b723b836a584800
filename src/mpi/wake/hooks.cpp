#include "mpi/wake/hooks.hpp"

#include <dlfcn.h>

#include "mpi/wake/session.hpp"

namespace kumi::mpi::wake {

bool install_hooks() {
    auto* hooks = static_cast<Hooks*>(::dlsym(RTLD_DEFAULT, "kumi_wake_hooks"));
    if (hooks == nullptr) return false;
    *hooks = {.pass_place = pass_place, .begin_loop = begin_loop, .end_loop = end_loop};
    return true;
}

}  // namespace kumi::mpi::wake
