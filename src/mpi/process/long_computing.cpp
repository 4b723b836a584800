#include "mpi/process/long_computing.hpp"

#include <signal.h>

#include <cerrno>

#include "mpi/clocks/rank_stage.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/run_link.hpp"

namespace kumi::mpi {
namespace {

constinit NextFunction<int(int, const struct sigaction*, struct sigaction*)> next_sigaction{
    "sigaction"};

void handle(int) {
    const int error = errno;
    if (spends_virtual_time()) run_link::give_way();
    errno = error;
}

}  // namespace

void give_way_on_signal() {
    struct sigaction action{};
    if (next_sigaction(SIGURG, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
    action.sa_handler = handle;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    next_sigaction(SIGURG, &action, nullptr);
}

}  // namespace kumi::mpi
