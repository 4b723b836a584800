#include "mpi/code/large_code_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "base/memory/large_pages.hpp"

namespace kumi::mpi {
namespace {

constexpr std::uintptr_t kPage = 4096;

std::uintptr_t page_of(std::uintptr_t place) { return place & ~(kPage - 1); }
std::uintptr_t page_after(std::uintptr_t place) { return page_of(place + kPage - 1); }

/// Where one library's code and constants lie: parts that are never written, one after the other.
struct Range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    /// Where the library's next part begins, up to which nothing else can lie.
    std::uintptr_t next = 0;
};

Range unwritten_range(const dl_phdr_info& object) {
    Range range;
    for (int i = 0; i < object.dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = object.dlpi_phdr[i];
        if (part.p_type != PT_LOAD) continue;
        range.next = page_of(object.dlpi_addr + part.p_vaddr);
        if ((part.p_flags & PF_W) != 0) break;
        if (range.end != 0 && range.next != range.end) break;
        if (range.end == 0) range.begin = range.next;
        range.end = page_after(object.dlpi_addr + part.p_vaddr + part.p_memsz);
    }
    return range;
}

/// A copy of the code that these pages take the place of, not yet there; nullptr if there are none.
void* copy_of(const detail::LargePages& pages) {
    const std::size_t size_bytes = pages.end - pages.begin;
    void* const copy = map_at_large_page(size_bytes);
    if (copy == MAP_FAILED) return nullptr;
    if (::madvise(copy, size_bytes, MADV_HUGEPAGE) == 0) {
        std::memcpy(copy, reinterpret_cast<const void*>(pages.begin), pages.code_end - pages.begin);
        // A system may forbid code that is in no file.
        if (::mprotect(copy, size_bytes, PROT_READ | PROT_EXEC) == 0) return copy;
    }
    ::munmap(copy, size_bytes);
    return nullptr;
}

int enlarge(dl_phdr_info* object, std::size_t, void*) {
    const detail::LargePages pages = detail::large_pages_of(*object);
    if (pages.end <= pages.begin) return 0;
    void* const copy = copy_of(pages);
    if (copy == nullptr) return 1;
    const std::size_t size_bytes = pages.end - pages.begin;
    // In one step: the code is never absent.
    const bool is_moved = ::mremap(copy, size_bytes, size_bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
                                   reinterpret_cast<void*>(pages.begin)) != MAP_FAILED;
    if (!is_moved) ::munmap(copy, size_bytes);
    return is_moved ? 0 : 1;
}

}  // namespace

detail::LargePages detail::large_pages_of(const dl_phdr_info& object) {
    const Range range = unwritten_range(object);
    const std::uintptr_t up = large_page_after(range.end);
    const std::uintptr_t end = up <= range.next ? up : large_page_of(range.end);
    return {
        .begin = large_page_after(range.begin), .code_end = std::min(range.end, end), .end = end};
}

void enlarge_code_pages() { dl_iterate_phdr(enlarge, nullptr); }

}  // namespace kumi::mpi
