#include "base/memory/large_pages.hpp"

#include <sys/mman.h>

namespace kumi::inline base {
namespace {

#ifndef MADV_COLLAPSE
constexpr int MADV_COLLAPSE = 25;
#endif

}  // namespace

void* map_at_large_page(std::size_t size_bytes) {
    void* const room = ::mmap(nullptr, size_bytes + kLargePage, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return room;
    const auto begin = reinterpret_cast<std::uintptr_t>(room);
    const std::uintptr_t aligned = large_page_after(begin);
    if (aligned > begin) ::munmap(room, aligned - begin);
    ::munmap(reinterpret_cast<void*>(aligned + size_bytes), begin + kLargePage - aligned);
    return reinterpret_cast<void*>(aligned);
}

void use_large_pages(std::uintptr_t begin, std::uintptr_t end) {
    // The system makes a large page of small ones: there must be one.
    for (std::uintptr_t page = begin; page < end; page += kLargePage)
        (void)*reinterpret_cast<const volatile unsigned char*>(page);
    (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_COLLAPSE);
}

}  // namespace kumi::inline base
