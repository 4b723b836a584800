#pragma once

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

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

/// A value that this process and those that it forks have in common.
template <class Value>
std::shared_ptr<Value> make_common() {
    void* const memory =
        ::mmap(nullptr, sizeof(Value), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return {new (memory) Value{}, [](Value* value) { ::munmap(value, sizeof(Value)); }};
}

}  // namespace kumi::conductor
