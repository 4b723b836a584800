#include "base/check.hpp"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace kumi::inline base {

void fail_check(const char* expression, const char* file, int line, const char* text) {
    std::fprintf(stderr, "kumihimo: %s:%d: internal check failed: %s (%s)\n", file, line, text,
                 expression);
    std::fflush(stderr);
    std::abort();
}

void end_of_virtual_time() {
    throw std::overflow_error(
        "virtual time has come to its end: a message takes a link for more than 106 days, or many "
        "do one after the other; see link.bandwidth and the sizes of messages");
}

}  // namespace kumi::inline base
