#pragma once

#include <cstddef>
#include <cstdint>

namespace kumi::inline base {

/// The size in bytes of a page of the next kind after 4 KiB, on x86-64 and aarch64.
constexpr std::size_t kLargePage = std::size_t{1} << 21;

/// The beginning of the large page in which an address lies.
constexpr std::uintptr_t large_page_of(std::uintptr_t address) {
    return address & ~(kLargePage - 1);
}

/// The first beginning of a large page that is not below the address.
constexpr std::uintptr_t large_page_after(std::uintptr_t address) {
    return large_page_of(address + kLargePage - 1);
}

/// New private memory that begins where a large page may: `size_bytes`, a multiple of 4 KiB.
/// MAP_FAILED if there is none. Pages that are never touched do not exist; large ones are still to
/// be asked for.
void* map_at_large_page(std::size_t size_bytes);

/// Puts the memory from `begin` to `end`, multiples of `kLargePage` and mapped as one, into large
/// pages, with what is in it; all processes that share it find it in them. Where the system does
/// not do that, before Linux 6.1 or for lack of room, all stays as it is: only slower.
void use_large_pages(std::uintptr_t begin, std::uintptr_t end);

}  // namespace kumi::inline base
