#include "mpi/large_code_pages.hpp"

#include <link.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>

namespace kumi::mpi {
namespace {

constexpr std::uintptr_t kPage = 4096;
constexpr std::uintptr_t kLargePage = std::uintptr_t{1} << 21;

/// Where one library's code and constants lie: parts that are never written, one after the other.
struct Range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
};

Range unwritten_range(const dl_phdr_info& object) {
    Range range;
    for (int i = 0; i < object.dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = object.dlpi_phdr[i];
        if (part.p_type != PT_LOAD) continue;
        if ((part.p_flags & PF_W) != 0) break;
        const std::uintptr_t begin = (object.dlpi_addr + part.p_vaddr) & ~(kPage - 1);
        if (range.end != 0 && begin != range.end) break;
        if (range.end == 0) range.begin = begin;
        range.end = (object.dlpi_addr + part.p_vaddr + part.p_memsz + kPage - 1) & ~(kPage - 1);
    }
    return range;
}

/// Large pages with a copy of the code at `code`, not yet in its place; nullptr if there are none.
void* copy_of(const void* code, std::size_t size_bytes) {
    void* const room = ::mmap(nullptr, size_bytes + kLargePage, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return nullptr;
    const auto begin = reinterpret_cast<std::uintptr_t>(room);
    const std::uintptr_t aligned = (begin + kLargePage - 1) & ~(kLargePage - 1);
    if (aligned > begin) ::munmap(room, aligned - begin);
    if (aligned < begin + kLargePage)
        ::munmap(reinterpret_cast<void*>(aligned + size_bytes), begin + kLargePage - aligned);
    void* const copy = reinterpret_cast<void*>(aligned);
    if (::madvise(copy, size_bytes, MADV_HUGEPAGE) == 0) {
        std::memcpy(copy, code, size_bytes);
        // A system may forbid code that is in no file.
        if (::mprotect(copy, size_bytes, PROT_READ | PROT_EXEC) == 0) return copy;
    }
    ::munmap(copy, size_bytes);
    return nullptr;
}

int enlarge(dl_phdr_info* object, std::size_t, void*) {
    const Range range = unwritten_range(*object);
    const std::uintptr_t begin = (range.begin + kLargePage - 1) & ~(kLargePage - 1);
    const std::uintptr_t end = range.end & ~(kLargePage - 1);
    if (end <= begin) return 0;
    void* const code = reinterpret_cast<void*>(begin);
    void* const copy = copy_of(code, end - begin);
    if (copy == nullptr) return 1;
    // In one step: the code is never absent.
    const bool is_moved =
        ::mremap(copy, end - begin, end - begin, MREMAP_MAYMOVE | MREMAP_FIXED, code) != MAP_FAILED;
    if (!is_moved) ::munmap(copy, end - begin);
    return is_moved ? 0 : 1;
}

}  // namespace

void enlarge_code_pages() { dl_iterate_phdr(enlarge, nullptr); }

}  // namespace kumi::mpi
