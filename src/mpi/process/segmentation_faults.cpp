#include "mpi/process/segmentation_faults.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "base/system_call.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/export.hpp"

namespace kumi::mpi {
namespace {

constinit NextFunction next_sigaction{::sigaction, "sigaction"};
constinit NextFunction next_sigmask{::pthread_sigmask, "pthread_sigmask"};

constinit std::atomic<bool> is_taken{false};
constinit struct sigaction program_action{};

bool has_segmentation_faults() { return is_taken.load(std::memory_order_acquire); }

/// A counter that is read while the signal is blocked would end the process.
sigset_t without_segmentation_faults(const sigset_t& signals) {
    sigset_t others = signals;
    sigdelset(&others, SIGSEGV);
    return others;
}

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

/// As sigaction for SIGSEGV, with what the program sees of it. Either may be null.
void exchange_program_action(const struct sigaction* action, struct sigaction* old) {
    const struct sigaction before = program_action;
    if (action != nullptr) program_action = *action;
    if (old != nullptr) *old = before;
}

using Handler = void(int);

/// As signal() does it, with `flags`.
Handler* set_handler(Handler* handler, int flags) {
    struct sigaction action{};
    struct sigaction old{};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    exchange_program_action(&action, &old);
    return old.sa_handler;
}

bool is_ours(int number) { return number == SIGSEGV && has_segmentation_faults(); }

/// For the functions that set or add to a mask; `room` holds what is to be given on.
const sigset_t* mask_for(int how, const sigset_t* signals, sigset_t& room) {
    if (signals == nullptr || how == SIG_UNBLOCK || !has_segmentation_faults()) return signals;
    room = without_segmentation_faults(*signals);
    return &room;
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

}  // namespace kumi::mpi

using namespace kumi::mpi;

KUMI_EXPORT int sigaction(int number, const struct sigaction* action,
                          struct sigaction* old) noexcept {
    static constinit NextFunction next{::sigaction, "sigaction"};
    if (is_ours(number)) {
        exchange_program_action(action, old);
        return 0;
    }
    if (action == nullptr || !has_segmentation_faults()) return next(number, action, old);
    struct sigaction others = *action;
    others.sa_mask = without_segmentation_faults(action->sa_mask);
    return next(number, static_cast<const struct sigaction*>(&others), old);
}

KUMI_EXPORT Handler* signal(int number, Handler* handler) noexcept {
    static constinit NextFunction<Handler*(int, Handler*)> next{"signal"};
    return is_ours(number) ? set_handler(handler, SA_RESTART) : next(number, handler);
}

KUMI_EXPORT Handler* ssignal(int number, Handler* handler) noexcept {
    return signal(number, handler);
}

KUMI_EXPORT Handler* sysv_signal(int number, Handler* handler) noexcept {
    static constinit NextFunction<Handler*(int, Handler*)> next{"sysv_signal"};
    return is_ours(number) ? set_handler(handler, SA_RESETHAND | SA_NODEFER)
                           : next(number, handler);
}

KUMI_EXPORT Handler* __sysv_signal(int number, Handler* handler) noexcept {
    return sysv_signal(number, handler);
}

KUMI_EXPORT int sigprocmask(int how, const sigset_t* signals, sigset_t* old) noexcept {
    static constinit NextFunction<int(int, const sigset_t*, sigset_t*)> next{"sigprocmask"};
    sigset_t room;
    return next(how, mask_for(how, signals, room), old);
}

KUMI_EXPORT int pthread_sigmask(int how, const sigset_t* signals, sigset_t* old) noexcept {
    static constinit NextFunction<int(int, const sigset_t*, sigset_t*)> next{"pthread_sigmask"};
    sigset_t room;
    return next(how, mask_for(how, signals, room), old);
}
