#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

#include "base/arena.hpp"

namespace kumi {

/// An arena in ordinary memory, as large as it needs to be: only pages that are used exist.
class ReplayMemory {
   public:
    /// Throws std::system_error if there is no such memory.
    ReplayMemory() {
        void* const memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) {
            throw std::system_error(errno, std::generic_category(), "memory for the replay");
        }
        // A large network is read here and there: see large_memory.hpp.
        (void)::madvise(memory, kBytes, MADV_HUGEPAGE);
        x_memory = memory;
        x_arena = Arena::create(x_memory, kBytes, false);
    }
    ~ReplayMemory() { ::munmap(x_memory, kBytes); }
    ReplayMemory(const ReplayMemory&) = delete;
    ReplayMemory& operator=(const ReplayMemory&) = delete;

    Arena& arena() { return *x_arena; }

   private:
    static constexpr std::size_t kBytes = std::size_t{1} << 38;

    void* x_memory = nullptr;
    Arena* x_arena = nullptr;
};

}  // namespace kumi
