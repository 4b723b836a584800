#pragma once

namespace kumi::inline base {

/// Fetches the cache line of an address into the processor's caches, which may be any address: it
/// is not read. Has no effect but on speed.
///
/// The empty statement counts as an effect. Without it GCC takes a function that does nothing but
/// fetch for one that does nothing at all, and calls of it away.
inline void prefetch_line(const void* address) {
    __builtin_prefetch(address, 1);
    asm volatile("");
}

}  // namespace kumi::inline base
