// The shim lives in strangers' processes: it must show its entry points only, and need libc alone.

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <regex>
#include <set>
#include <string>

namespace {

std::set<std::string> lines_of(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::set<std::string> lines;
    char line[1000];
    while (std::fgets(line, sizeof line, pipe.get()) != nullptr)
        lines.insert(std::string(line, std::string(line).find_last_not_of('\n') + 1));
    return lines;
}

TEST(ShimExports, EntryPointsOnly) {
    const std::regex expected(
        "MPIX?_[A-Z][A-Za-z0-9_]*|mpi_[a-z0-9_]*_|kumi_(compute_(seconds|flops)|virtual_seconds"
        "|is_simulated)|clock_gettime|gettimeofday|time|timespec_get|(clock_)?nanosleep|thrd_sleep"
        "|u?sleep|pthread_cond_(timed|clock)wait|pthread_mutex_(timed|clock)lock"
        "|sem_(timed|clock)wait|p?poll|p?select|epoll_p?wait|sched_yield");
    for (const char* shim : {KUMI_SHIM, KUMI_SHIM_OPEN_MPI}) {
        const auto names =
            lines_of(std::string("nm -D --defined-only ") + shim + " | cut -d' ' -f3");
        EXPECT_GT(names.size(), 500U);
        for (const std::string& name : names)
            EXPECT_TRUE(std::regex_match(name, expected)) << shim << " exports " << name;
    }
}

TEST(ShimExports, NeedsLibcOnly) {
    const auto needed = lines_of(std::string("readelf -d ") + KUMI_SHIM +
                                 " | sed -n 's/.*NEEDED.*\\[\\(.*\\)\\]/\\1/p'");
    EXPECT_TRUE(needed.count("libc.so.6"));
    for (const std::string& library : needed)
        EXPECT_TRUE(library == "libc.so.6" || library == "libdl.so.2" || library == "libm.so.6" ||
                    library.starts_with("ld-linux"))
            << library;
}

}  // namespace
