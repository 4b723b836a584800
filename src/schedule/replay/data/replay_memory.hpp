#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

#include "base/memory/arena.hpp"

namespace kumi::schedule {

/// An arena in ordinary memory, as large as it needs to be, or half of what the process may have:
/// only pages that are used exist.
class ReplayMemory {
   public:
    /// Throws std::system_error if there is no such memory.
    ReplayMemory() {
        while ((x_memory = reserve(x_bytes)) == MAP_FAILED) {
            if (x_bytes == kFewestBytes) {
                throw std::system_error(errno, std::generic_category(), "memory for the replay");
            }
            x_bytes /= 2;
        }
        if (x_bytes < kMostBytes) leave_half();
        // A large network is read here and there: see large_memory.hpp.
        (void)::madvise(x_memory, x_bytes, MADV_HUGEPAGE);
        x_arena = Arena::create(x_memory, x_bytes, false);
    }
    ~ReplayMemory() { ::munmap(x_memory, x_bytes); }
    ReplayMemory(const ReplayMemory&) = delete;
    ReplayMemory& operator=(const ReplayMemory&) = delete;

    Arena& arena() { return *x_arena; }

   private:
    static constexpr std::size_t kMostBytes = std::size_t{1} << 38;
    static constexpr std::size_t kFewestBytes = std::size_t{1} << 28;

    static void* reserve(std::size_t bytes) {
        return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }

    /// Address space is limited (ulimit -v): others need some of it, too.
    void leave_half() {
        x_bytes /= 2;
        ::munmap(static_cast<char*>(x_memory) + x_bytes, x_bytes);
    }

    std::size_t x_bytes = kMostBytes;
    void* x_memory = nullptr;
    Arena* x_arena = nullptr;
};

}  // namespace kumi::schedule
