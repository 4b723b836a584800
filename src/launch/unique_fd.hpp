#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace kumi::launch {

/// Owns a file descriptor and closes it.
class UniqueFd {
   public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) : x_fd(fd) {}
    UniqueFd(UniqueFd&& other) noexcept : x_fd(std::exchange(other.x_fd, -1)) {}
    UniqueFd& operator=(UniqueFd&& other) noexcept {
        if (this != &other) {
            reset();
            x_fd = std::exchange(other.x_fd, -1);
        }
        return *this;
    }
    ~UniqueFd() { reset(); }

    int get() const { return x_fd; }
    explicit operator bool() const { return x_fd >= 0; }

    void reset() {
        if (x_fd >= 0) ::close(x_fd);
        x_fd = -1;
    }

   private:
    int x_fd = -1;
};

/// Throws std::system_error with the reason that errno has.
[[noreturn]] inline void throw_errno(const char* text) {
    throw std::system_error(errno, std::generic_category(), text);
}

/// Two connected sockets of that type, both close-on-exec. Throws std::system_error with `text`.
inline std::pair<UniqueFd, UniqueFd> socket_pair(int type, const char* text) {
    int ends[2];
    if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0) throw_errno(text);
    return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

}  // namespace kumi::launch
