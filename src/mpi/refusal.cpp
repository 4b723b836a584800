#include "mpi/refusal.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "mpi/rank_process.hpp"

namespace kumi::mpi {

void refuse_in_run(const char* name) {
    if (!attach_to_run()) return;
    // A session has no MPI_COMM_WORLD and no moment at which all ranks are up, so that virtual time
    // could not begin; processes can be neither added to a run nor shared between two.
    const bool session = std::strcmp(name, "MPI_Session_init") == 0;
    char text[200];
    std::snprintf(text, sizeof text, "%s is not supported in a simulated run: %s", name,
                  session ? "start MPI with MPI_Init or MPI_Init_thread"
                          : "its number of processes is fixed");
    run_link::refuse(text);
    std::_Exit(1);
}

}  // namespace kumi::mpi
