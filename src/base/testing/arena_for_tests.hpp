#pragma once

#include <sys/mman.h>

#include "base/memory/arena.hpp"

namespace kumi::inline base {

/// An arena in memory of its own, for tests and benchmarks. Only pages that are used exist.
class ArenaForTests {
   public:
    explicit ArenaForTests(std::size_t size_bytes = std::size_t{1} << 30)
        : x_size_bytes(size_bytes) {
        x_memory = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        KUMI_ASSERT(x_memory != MAP_FAILED, "no memory for a test's arena");
        x_arena = Arena::create(x_memory, size_bytes, false);
    }
    ~ArenaForTests() { munmap(x_memory, x_size_bytes); }
    ArenaForTests(const ArenaForTests&) = delete;
    ArenaForTests& operator=(const ArenaForTests&) = delete;

    Arena& operator*() { return *x_arena; }
    Arena* operator->() { return x_arena; }

   private:
    std::size_t x_size_bytes;
    void* x_memory;
    Arena* x_arena;
};

}  // namespace kumi::inline base
