#include "mpi/process/segmentation_faults.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "base/system_call.hpp"
#include "mpi/clocks/real_time.hpp"

namespace kumi::mpi {
namespace {

using Sigaction = int(int, const struct sigaction*, struct sigaction*);
using PthreadSigmask = int(int, const sigset_t*, sigset_t*);
constinit NextFunction<Sigaction> next_sigaction{"sigaction"};
constinit NextFunction<PthreadSigmask> next_sigmask{"pthread_sigmask"};

constinit std::atomic<bool> is_taken{false};
constinit struct sigaction program_action{};

/// The kernel does with the signal what it does by default, once the handler has returned.
void leave_to_kernel(const siginfo_t& info) {
    struct sigaction action{};
    action.sa_handler = SIG_DFL;
    next_sigaction(SIGSEGV, &action, nullptr);
    // An instruction that faults does so again; a signal that was sent must be sent again.
    if (info.si_code <= 0)
        call_kernel(SYS_tgkill, static_cast<std::uintptr_t>(::getpid()),
                    static_cast<std::uintptr_t>(call_kernel(SYS_gettid)), SIGSEGV);
}

void give_to_program(int number, siginfo_t* info, void* context) {
    const struct sigaction action = program_action;
    const bool was_sent = info->si_code <= 0;
    if (action.sa_handler == SIG_IGN && was_sent) return;
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) return leave_to_kernel(*info);
    if ((action.sa_flags & SA_RESETHAND) != 0) program_action.sa_handler = SIG_DFL;
    // The kernel restores the mask when the handler returns.
    const sigset_t blocked = without_segmentation_faults(action.sa_mask);
    next_sigmask(SIG_BLOCK, &blocked, nullptr);
    if ((action.sa_flags & SA_NODEFER) != 0) {
        sigset_t own;
        sigemptyset(&own);
        sigaddset(&own, SIGSEGV);
        next_sigmask(SIG_UNBLOCK, &own, nullptr);
    }
    if ((action.sa_flags & SA_SIGINFO) != 0)
        action.sa_sigaction(number, info, context);
    else
        action.sa_handler(number);
}

void handle(int number, siginfo_t* info, void* context) {
    if (!answer_counter_trap(*info, context)) give_to_program(number, info, context);
}

}  // namespace

bool take_segmentation_faults_over() {
    struct sigaction action{};
    action.sa_sigaction = handle;
    sigemptyset(&action.sa_mask);
    // A program with a stack of its own for signals needs that when the other has overflowed.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigset_t unblocked;
    sigemptyset(&unblocked);
    sigaddset(&unblocked, SIGSEGV);
    if (next_sigmask(SIG_UNBLOCK, &unblocked, nullptr) != 0 ||
        next_sigaction(SIGSEGV, &action, &program_action) != 0)
        return false;
    is_taken.store(true, std::memory_order_release);
    return true;
}

bool has_segmentation_faults() { return is_taken.load(std::memory_order_acquire); }

void exchange_program_action(const struct sigaction* action, struct sigaction* old) {
    const struct sigaction before = program_action;
    if (action != nullptr) program_action = *action;
    if (old != nullptr) *old = before;
}

sigset_t without_segmentation_faults(const sigset_t& signals) {
    sigset_t others = signals;
    sigdelset(&others, SIGSEGV);
    return others;
}

}  // namespace kumi::mpi
