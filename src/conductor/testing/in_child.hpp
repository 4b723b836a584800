#pragma once

#include <sys/wait.h>
#include <unistd.h>

namespace kumi::conductor {

/// Runs `body` in a child process; its exit code, or -1 if it crashed.
template <class Body>
int in_child(Body&& body) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(body());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace kumi::conductor
