#pragma once

#include <unistd.h>

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

}  // namespace kumi::launch
