#include "mpi/process/rank_process.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "mpi/clocks/program_time.hpp"
#include "mpi/clocks/rank_clock.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/collectives/calls.hpp"
#include "mpi/content/sent_content.hpp"
#include "mpi/process/processor_counter.hpp"
#include "mpi/process/restartable_sequences.hpp"
#include "mpi/process/seed_process.hpp"

namespace kumi::mpi {

constinit std::atomic<const void*> detail::thread_in_mpi{nullptr};
constinit bool detail::is_child = false;

namespace {

// A child of the rank goes on from what the clocks said, but it is not the rank.
constinit std::int64_t forked_with_ns = 0;
void before_fork() {
    if (stage() != Stage::kOutside) forked_with_ns = elapsed_ns(ClockUse::kPeek);
}
void in_child() {
    if (stage() == Stage::kOutside) return;
    detail::is_child = stage() == Stage::kVirtual;
    end_virtual_time(forked_with_ns);
}

constinit bool has_attached = false;

// mpirun may say that a rank failed which did not: see Evidence in python/kumihimo/run.
void note_exit(int code, void*) {
    if (has_attached) run_link::note_exit(code);
}

// The last of the libraries' constructors: what is preloaded comes after all that it may need, and
// the program's own are run after it.
__attribute__((constructor)) void start() {
    if (is_seed()) become_ranks();
    // A process that is no rank stays exactly as it was.
    if (stage() == Stage::kOutside) return;
    forgo_restartable_sequences();
    take_counter_over();
    pthread_atfork(before_fork, nullptr, in_child);
    // After the handlers of all others, which run in reverse order.
    ::on_exit(note_exit, nullptr);
}

/// The work that the calling thread counts is the rank's from now on. Ends the run with a message
/// if the program does not count. The names are those that src/passes gives to what it adds to a
/// program.
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

constinit NextFunction next_sigaction{::sigaction, "sigaction"};

void give_way(int) {
    const int error = errno;
    if (spends_virtual_time()) run_link::give_way();
    errno = error;
}

/// From now on, SIGURG makes the rank's thread give way while it computes outside of MPI: other
/// ranks go on at the same time. The launcher sends it to a rank that has computed for long, so
/// that one that never calls MPI again does not keep others from aborting the run.
///
/// By default the system ignores this signal. A program that handles it itself keeps its handler,
/// and does not give way.
void give_way_on_signal() {
    struct sigaction action{};
    if (next_sigaction(SIGURG, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
    action.sa_handler = give_way;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    next_sigaction(SIGURG, &action, nullptr);
}

}  // namespace

bool attach_to_run() {
    if (stage() != Stage::kStarting) return stage() == Stage::kVirtual;
    if (!has_attached) has_attached = run_link::attach();
    if (has_attached) return true;
    std::fprintf(stderr, "kumihimo: this process cannot take part in the run\n");
    std::_Exit(1);
}

void join_run(bool alone_calls_mpi) {
    if (run_link::counts_work()) follow_work_of_this_thread();
    run_link::join(alone_calls_mpi);
    detail::rank_thread.store(&detail::call_depth, std::memory_order_relaxed);
    note_rank_thread();
    thread_work::begin();
    detail::stage.store(Stage::kVirtual, std::memory_order_release);
    if (!has_counter()) run_link::note_real_clock(RealClock::kUnwatchedCounter);
    wake::begin();
    profile::begin();
    site_numbers::begin();
    hint_file::begin();
    sent_content::begin();
    collectives::begin();
    give_way_on_signal();
}

void finish_run() {
    wake::end();
    if (has_threads()) thread_work::meet();
    run_link::finish();
    end_virtual_time(virtual_ns(run_link::now()));
    hint_file::end();
}

void detail::take_over() {
    // What this thread hands on to others is the rank's clock, which has to be where the rank is.
    run_link::keep_in_time();
    count_own_computing();
    detail::rank_thread.store(&detail::call_depth, std::memory_order_relaxed);
    note_rank_thread();
    if (run_link::counts_work()) follow_work_of_this_thread();
    if (run_link::measures_time()) run_link::measure_from_here();
    if (kumi::mpi::has_threads()) thread_work::meet_at_take_over();
    const std::int64_t ahead_ns = own_clock_ns() - virtual_ns(run_link::now());
    if (ahead_ns > 0) run_link::sleep(to_duration(ahead_ns));
}

void detail::end_child(const char* name) {
    std::fprintf(stderr,
                 "kumihimo: error: a child process of rank %u calls %s: only the rank itself can "
                 "call MPI\n",
                 run_link::rank(), name);
    std::_Exit(1);
}

void detail::refuse_second_thread(const char* name) {
    char text[200];
    std::snprintf(text, sizeof text,
                  "a thread calls %s while another thread of the rank is in MPI: a simulated run "
                  "gives MPI_THREAD_SERIALIZED at most",
                  name);
    run_link::refuse(text);
    std::_Exit(1);
}

}  // namespace kumi::mpi
