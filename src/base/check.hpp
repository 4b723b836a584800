#pragma once

namespace kumi::inline base {

/// Reports a broken invariant on stderr, with where it was found, and aborts. Never returns.
[[noreturn]] void fail_check(const char* expression, const char* file, int line, const char* text);

/// Virtual time has come to its end: throws std::overflow_error. In a rank that ends the process.
[[noreturn]] void end_of_virtual_time();

}  // namespace kumi::inline base

/// A programmer's error ends the process, in release builds too: a wrong number is worse than none.
#define KUMI_ASSERT(expression, text)                   \
    (__builtin_expect(static_cast<bool>(expression), 1) \
         ? static_cast<void>(0)                         \
         : ::kumi::fail_check(#expression, __FILE__, __LINE__, text))
