#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <system_error>

#include "base/memory/arena.hpp"
#include "base/memory/large_memory.hpp"
#include "base/temporary_file.hpp"

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

/// An array in memory or, if that would be too much, in a temporary file that is mapped: then it
/// takes as much memory as the system has to spare.
template <class T>
class SpillingArray {
   public:
    /// Makes `count` entries, of which `most_held_bytes` may be in memory; to be called once.
    /// Throws TemporaryFileError if there is no space for the file.
    void create(std::size_t count, std::uint64_t most_held_bytes) {
        const std::size_t size_bytes = count * sizeof(T);
        if (size_bytes <= most_held_bytes) {
            x_held.resize(count);
            x_entries = x_held.data();
            return;
        }
        TemporaryFile file;
        file.allocate(size_bytes);
        x_mapped = file.map(size_bytes, TemporaryFile::Access::kReadAndWrite);
        x_entries = static_cast<T*>(x_mapped.get());
        std::uninitialized_default_construct_n(x_entries, count);
    }
    T* data() { return x_entries; }

   private:
    LargeVector<T> x_held;
    std::shared_ptr<void> x_mapped;
    T* x_entries = nullptr;
};

}  // namespace kumi::schedule
