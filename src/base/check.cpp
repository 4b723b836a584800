#include "base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace kumi {

void fail_check(const char* expression, const char* file, int line, const char* text) {
    std::fprintf(stderr, "kumihimo: %s:%d: internal check failed: %s (%s)\n", file, line, text,
                 expression);
    std::fflush(stderr);
    std::abort();
}

}  // namespace kumi
