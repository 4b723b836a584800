// The program's handlers and masks of signals: SIGSEGV of a rank is the shim's, which hands on what
// is the program's (segmentation_faults.hpp).

#include <signal.h>

#include "mpi/clocks/real_time.hpp"
#include "mpi/export.hpp"
#include "mpi/process/segmentation_faults.hpp"

namespace {

using kumi::mpi::has_segmentation_faults;
using kumi::mpi::NextFunction;
using kumi::mpi::without_segmentation_faults;
using Handler = void(int);

/// As signal() does it, with `flags`.
Handler* set_handler(Handler* handler, int flags) {
    struct sigaction action{};
    struct sigaction old{};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    kumi::mpi::exchange_program_action(&action, &old);
    return old.sa_handler;
}

bool is_taken(int number) { return number == SIGSEGV && has_segmentation_faults(); }

/// For the functions that set or add to a mask; `room` holds what is to be given on.
const sigset_t* mask_for(int how, const sigset_t* signals, sigset_t& room) {
    if (signals == nullptr || how == SIG_UNBLOCK || !has_segmentation_faults()) return signals;
    room = without_segmentation_faults(*signals);
    return &room;
}

}  // namespace

KUMI_EXPORT int sigaction(int number, const struct sigaction* action,
                          struct sigaction* old) noexcept {
    static constinit NextFunction<int(int, const struct sigaction*, struct sigaction*)> next{
        "sigaction"};
    if (is_taken(number)) {
        kumi::mpi::exchange_program_action(action, old);
        return 0;
    }
    if (action == nullptr || !has_segmentation_faults()) return next(number, action, old);
    struct sigaction others = *action;
    others.sa_mask = without_segmentation_faults(action->sa_mask);
    return next(number, static_cast<const struct sigaction*>(&others), old);
}

KUMI_EXPORT Handler* signal(int number, Handler* handler) noexcept {
    static constinit NextFunction<Handler*(int, Handler*)> next{"signal"};
    return is_taken(number) ? set_handler(handler, SA_RESTART) : next(number, handler);
}

KUMI_EXPORT Handler* ssignal(int number, Handler* handler) noexcept {
    return signal(number, handler);
}

KUMI_EXPORT Handler* sysv_signal(int number, Handler* handler) noexcept {
    static constinit NextFunction<Handler*(int, Handler*)> next{"sysv_signal"};
    return is_taken(number) ? set_handler(handler, SA_RESETHAND | SA_NODEFER)
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
