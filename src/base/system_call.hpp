#pragma once

#include <cstdint>

namespace kumi::inline base {

/// Calls the kernel itself. The shim stands before the C library's `syscall`, too.
/// Returns what the kernel does: errors as negative error numbers.
inline long call_kernel(long number, std::uintptr_t a0 = 0, std::uintptr_t a1 = 0,
                        std::uintptr_t a2 = 0, std::uintptr_t a3 = 0, std::uintptr_t a4 = 0,
                        std::uintptr_t a5 = 0) {
#ifdef __x86_64__
    long result = number;
    register std::uintptr_t r10 asm("r10") = a3;
    register std::uintptr_t r8 asm("r8") = a4;
    register std::uintptr_t r9 asm("r9") = a5;
    asm volatile("syscall"
                 : "+a"(result)
                 : "D"(a0), "S"(a1), "d"(a2), "r"(r10), "r"(r8), "r"(r9)
                 : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 asm("x8") = number;
    register std::uintptr_t x0 asm("x0") = a0;
    register std::uintptr_t x1 asm("x1") = a1;
    register std::uintptr_t x2 asm("x2") = a2;
    register std::uintptr_t x3 asm("x3") = a3;
    register std::uintptr_t x4 asm("x4") = a4;
    register std::uintptr_t x5 asm("x5") = a5;
    asm volatile("svc 0"
                 : "+r"(x0)
                 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                 : "memory");
    return static_cast<long>(x0);
#endif
}

}  // namespace kumi::inline base
