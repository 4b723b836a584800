#include "mpi/calls/untouched_memory.hpp"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "mpi/code/library_names.hpp"

namespace kumi::mpi {
namespace {

#ifdef __x86_64__
constexpr unsigned kJumpSlot = R_X86_64_JUMP_SLOT;
#else
constexpr unsigned kJumpSlot = R_AARCH64_JUMP_SLOT;
#endif

/// For less than that, a system call does not pay.
constexpr std::ptrdiff_t kWorthwhile_bytes = std::ptrdiff_t{1} << 18;

using Memset = void*(void*, int, std::size_t);

constinit detail::ZeroMemory zero_memory;

void* clear_variables(void* target, int value, std::size_t size_bytes) {
    return detail::clear(zero_memory, target, value, size_bytes);
}

std::byte* page_after(std::byte* place) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto address = reinterpret_cast<std::uintptr_t>(place);
    return reinterpret_cast<std::byte*>((address + page - 1) & ~(page - 1));
}

std::byte* page_of(std::byte* place) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(place) & ~(page - 1));
}

/// What is needed of a loaded library's tables.
struct Tables {
    std::byte* base = nullptr;
    const ElfW(Dyn) * dynamic = nullptr;
    std::byte* protected_begin = nullptr;  ///< Made read-only after loading.
    std::byte* protected_end = nullptr;
    detail::ZeroMemory zeros;
};

Tables tables_of(const dl_phdr_info& object) {
    Tables tables;
    tables.base = reinterpret_cast<std::byte*>(object.dlpi_addr);
    for (int i = 0; i < object.dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = object.dlpi_phdr[i];
        std::byte* begin = tables.base + part.p_vaddr;
        if (part.p_type == PT_DYNAMIC) {
            tables.dynamic = reinterpret_cast<const ElfW(Dyn)*>(begin);
        } else if (part.p_type == PT_GNU_RELRO) {
            tables.protected_begin = begin;
            tables.protected_end = page_after(begin + part.p_memsz);
        } else if (part.p_type == PT_LOAD && part.p_memsz > part.p_filesz) {
            tables.zeros = {page_after(begin + part.p_filesz), begin + part.p_memsz};
        }
    }
    return tables;
}

/// Where the library keeps the address of memset; nullptr if it does not, or must not be changed.
Memset** find_memset(const Tables& tables) {
    const ElfW(Rela)* slots = nullptr;
    std::size_t slots_bytes = 0;
    const ElfW(Sym)* symbols = nullptr;
    const char* names = nullptr;
    for (const ElfW(Dyn)* entry = tables.dynamic; entry && entry->d_tag != DT_NULL; ++entry) {
        // The dynamic loader has made addresses of what were offsets.
        if (entry->d_tag == DT_JMPREL)
            slots = reinterpret_cast<const ElfW(Rela)*>(entry->d_un.d_ptr);
        else if (entry->d_tag == DT_PLTRELSZ)
            slots_bytes = entry->d_un.d_val;
        else if (entry->d_tag == DT_SYMTAB)
            symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr);
        else if (entry->d_tag == DT_STRTAB)
            names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    }
    if (slots == nullptr || symbols == nullptr || names == nullptr) return nullptr;
    for (const ElfW(Rela)* slot = slots; slot != slots + slots_bytes / sizeof *slots; ++slot) {
        if (ELF64_R_TYPE(slot->r_info) != kJumpSlot) continue;
        if (std::strcmp(names + symbols[ELF64_R_SYM(slot->r_info)].st_name, "memset") != 0)
            continue;
        std::byte* place = tables.base + slot->r_offset;
        const bool is_protected = place >= tables.protected_begin && place < tables.protected_end;
        return is_protected ? nullptr : reinterpret_cast<Memset**>(place);
    }
    return nullptr;
}

int change_library(dl_phdr_info* object, std::size_t, void*) {
    if (!is_mpi_binding(file_name(object->dlpi_name))) return 0;
    const Tables tables = tables_of(*object);
    if (tables.zeros.end < tables.zeros.begin + kWorthwhile_bytes) return 0;
    Memset** place = find_memset(tables);
    if (place == nullptr) return 0;
    zero_memory = tables.zeros;
    *place = clear_variables;
    return 1;
}

}  // namespace

void spare_untouched_memory() { dl_iterate_phdr(change_library, nullptr); }

void* detail::clear(const ZeroMemory& memory, void* target, int value, std::size_t size_bytes) {
    auto* const begin = static_cast<std::byte*>(target);
    std::byte* const end = begin + size_bytes;
    std::byte* const first = page_after(std::max(begin, memory.begin));
    std::byte* const last = page_of(std::min(end, memory.end));
    const bool pays = value == 0 && last > first && last - first >= kWorthwhile_bytes;
    if (!pays || ::madvise(first, static_cast<std::size_t>(last - first), MADV_DONTNEED) != 0)
        return std::memset(target, value, size_bytes);
    std::memset(begin, 0, static_cast<std::size_t>(first - begin));
    std::memset(last, 0, static_cast<std::size_t>(end - last));
    return target;
}

}  // namespace kumi::mpi
