#include "base/large_pages.hpp"

#include <sys/mman.h>

namespace kumi {
namespace {

#ifndef MADV_COLLAPSE
constexpr int MADV_COLLAPSE = 25;
#endif

}  // namespace

void use_large_pages(std::uintptr_t begin, std::uintptr_t end) {
    // The system makes a large page of small ones: there must be one.
    for (std::uintptr_t page = begin; page < end; page += kLargePage)
        (void)*reinterpret_cast<const volatile unsigned char*>(page);
    (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_COLLAPSE);
}

}  // namespace kumi
