#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/memory/large_memory.hpp"
#include "base/temporary_file.hpp"

namespace kumi::schedule {

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
