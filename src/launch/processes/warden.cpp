#include "launch/processes/warden.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>
#include <utility>

#include "launch/processes/job_members.hpp"

namespace kumi::launch {
namespace {

constexpr char kDismissal = 'd';

/// Leaves the launcher's terminal, streams and files, keeping only the lifeline, so that
/// no reader waits for the end of a stream that the warden still holds.
int become_invisible(int lifeline) {
    ::setsid();
    ::prctl(PR_SET_NAME, "kumihimo-warden");
    sigset_t all;
    sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);
    const int null = ::open("/dev/null", O_RDWR);
    for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, fd);
    constexpr int kLifeline = 3;
    if (lifeline != kLifeline) ::dup2(lifeline, kLifeline);
    ::close_range(kLifeline + 1, ~0U, 0);
    return kLifeline;
}

[[noreturn]] void watch(int lifeline, const std::string& job_name,
                        const std::vector<std::string>& paths) {
    lifeline = become_invisible(lifeline);
    char word = 0;
    ssize_t length;
    do {
        length = ::read(lifeline, &word, 1);
    } while (length < 0 && errno == EINTR);
    if (length != 1 || word != kDismissal) {
        kill_job_members(job_name);
        remove_mpich_shared_memory(job_name);
        std::error_code ignored;
        for (const std::string& path : paths) std::filesystem::remove_all(path, ignored);
    }
    ::_exit(0);
}

}  // namespace

Warden::Warden(std::string job_name, std::vector<std::string> paths) {
    auto [theirs, ours] = socket_pair(SOCK_STREAM, "cannot open a socket");
    x_lifeline = std::move(ours);
    x_pid = ::fork();
    if (x_pid < 0) throw_errno("cannot start another process");
    if (x_pid == 0) {
        x_lifeline.reset();
        watch(theirs.get(), job_name, paths);
    }
}

void Warden::dismiss() {
    if (x_pid <= 0) return;
    // The warden may have been killed: that must not end the launcher by SIGPIPE.
    ::send(x_lifeline.get(), &kDismissal, 1, MSG_NOSIGNAL);
    x_lifeline.reset();
    ::waitpid(x_pid, nullptr, 0);
    x_pid = -1;
}

}  // namespace kumi::launch
