#include "mpi/wake/hooks.hpp"

#include "mpi/export.hpp"
#include "mpi/wake/session.hpp"

namespace kumi::mpi::wake {
namespace {

// Other libraries' constructors may ask before this library's own have run.
constinit Hooks hooks{};
constinit bool was_asked = false;

}  // namespace

bool has_places() { return was_asked; }

void install_hooks() {
    hooks = {.pass_place = pass_place, .begin_loop = begin_loop, .end_loop = end_loop};
}

}  // namespace kumi::mpi::wake

KUMI_EXPORT const kumi::mpi::wake::Hooks* kumi_wake_offer() {
    kumi::mpi::wake::was_asked = true;
    kumi::mpi::wake::note_places();
    return &kumi::mpi::wake::hooks;
}
