#include "launch/processes/spawn.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include "launch/unique_fd.hpp"

namespace kumi::launch {
namespace {

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

/// Keeps every signal away while parent and child share their memory.
class AllSignalsBlocked {
   public:
    AllSignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &x_before);
    }
    ~AllSignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &x_before, nullptr); }

   private:
    sigset_t x_before;
};

void reset_signals() {
    struct sigaction standard = {};
    standard.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &standard, nullptr);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// What the child does between vfork and exec: system calls only, no memory is changed but
/// `failure`, which the parent reads.
[[noreturn]] void become(const SpawnRequest& request, char* const* arguments,
                         char* const* environment, pid_t parent, volatile int& failure) {
    ::setpgid(0, request.process_group);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have died before that; then the signal will never come.
    if (::getppid() != parent) ::_exit(127);
    if (request.core >= 0) {
        cpu_set_t cores;
        CPU_ZERO(&cores);
        CPU_SET(request.core, &cores);
        ::sched_setaffinity(0, sizeof cores, &cores);
    }
    if (request.fixes_addresses) {
        constexpr unsigned long kAsk = 0xFFFFFFFF;
        const int present = ::personality(kAsk);
        // A container may forbid it; then addresses stay random, and the run is only slower.
        if (present != -1)
            (void)::personality(static_cast<unsigned long>(present) | ADDR_NO_RANDOMIZE);
    }
    if (request.is_batch) {
        const sched_param none = {};
        ::sched_setscheduler(0, SCHED_BATCH, &none);
    }
    if (request.open_file_limit != 0) {
        rlimit limit;
        ::getrlimit(RLIMIT_NOFILE, &limit);
        limit.rlim_cur = request.open_file_limit;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
    for (int fd : request.inherited_fds) ::fcntl(fd, F_SETFD, 0);
    if (!request.keeps_stdin) {
        const int null = ::open("/dev/null", O_RDONLY);
        ::dup2(null, STDIN_FILENO);
        if (null > STDERR_FILENO) ::close(null);
    }
    reset_signals();
    ::execve(arguments[0], arguments, environment);
    failure = errno;
    ::_exit(127);
}

}  // namespace

pid_t spawn_process(const SpawnRequest& request) {
    const std::vector<char*> arguments = pointers_to(request.arguments);
    const std::vector<char*> environment = pointers_to(request.environment);
    const pid_t parent = ::getpid();
    volatile int failure = 0;
    pid_t child;
    {
        const AllSignalsBlocked guard;
        // vfork, because a fork would copy the launcher's page tables once per rank.
        child = ::vfork();
        if (child == 0) become(request, arguments.data(), environment.data(), parent, failure);
    }
    if (child < 0) throw_errno("cannot start another process");
    if (failure != 0) {
        ::waitpid(child, nullptr, 0);
        throw std::system_error(failure, std::generic_category(),
                                "cannot execute " + request.arguments[0]);
    }
    return child;
}

double seconds_of(const rusage& usage) {
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace kumi::launch
