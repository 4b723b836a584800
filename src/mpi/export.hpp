#pragma once

#include <array>
#include <cstdint>

/// Marks an entry point: everything else in the library is hidden.
#define KUMI_EXPORT extern "C" __attribute__((visibility("default")))

/// The arguments of any MPI function, as machine words.
///
/// MPI functions take integers and pointers only, at most 14 of them (Fortran adds `ierror` and the
/// lengths of strings), so that one signature forwards them all, whatever the MPI library's handles
/// are: no mpi.h is needed, and one shim serves every MPI. A call with fewer arguments makes the
/// shim read, and pass on, registers and stack words that the caller did not set. Under the calling
/// conventions of x86-64 and aarch64 that is harmless: the words lie in the caller's frames, the
/// callee does not look at them, and the caller takes its own arguments off the stack. The result
/// comes back in the same register for `int`, pointer and nothing.
#define KUMI_ARGUMENTS                                                            \
    [[maybe_unused]] std::uintptr_t a0, [[maybe_unused]] std::uintptr_t a1,       \
        [[maybe_unused]] std::uintptr_t a2, [[maybe_unused]] std::uintptr_t a3,   \
        [[maybe_unused]] std::uintptr_t a4, [[maybe_unused]] std::uintptr_t a5,   \
        [[maybe_unused]] std::uintptr_t a6, [[maybe_unused]] std::uintptr_t a7,   \
        [[maybe_unused]] std::uintptr_t a8, [[maybe_unused]] std::uintptr_t a9,   \
        [[maybe_unused]] std::uintptr_t a10, [[maybe_unused]] std::uintptr_t a11, \
        [[maybe_unused]] std::uintptr_t a12, [[maybe_unused]] std::uintptr_t a13, \
        [[maybe_unused]] std::uintptr_t a14, [[maybe_unused]] std::uintptr_t a15
#define KUMI_FORWARDED a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15
/// Copies them into memory, where something is to look at them.
#define KUMI_COPIED [&] { return std::array<kumi::mpi::Word, 16>{KUMI_FORWARDED}; }
