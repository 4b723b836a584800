// The shim lives in strangers' processes: it must show its entry points only, and need libc alone.

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
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

// As an extended regular expression for grep.
const std::string kEntryPoints =
    "MPIX?_[A-Z][A-Za-z0-9_]*|mpi_[a-z0-9_]*_|kumi_(compute_(seconds|flops)|virtual_seconds"
    "|is_simulated|wake_(rank|members?|next)|hint)|clock_gettime|gettimeofday|time|timespec_get|("
    "clock_)?nanosleep|thrd_sleep"
    "|u?sleep|pthread_cond_(timed|clock)wait|pthread_mutex_(timed|clock)lock"
    "|sem_(timed|clock)wait|p?poll|p?select|epoll_p?wait|sched_yield";

TEST(ShimExports, EntryPointsOnly) {
    for (const std::string shim : {KUMI_SHIM, KUMI_SHIM_OPEN_MPI}) {
        const std::string names = "nm -D --defined-only " + shim + " | cut -d' ' -f3";
        EXPECT_GT(lines_of(names).size(), 500U);
        EXPECT_EQ(lines_of(names + " | grep -vxE '" + kEntryPoints + "'"), std::set<std::string>{})
            << shim;
    }
}

TEST(ShimExports, NeedsLibcOnly) {
    const auto needed = lines_of(std::string("readelf -d ") + KUMI_SHIM +
                                 " | sed -n 's/.*NEEDED.*\\[\\(.*\\)\\]/\\1/p'");
    EXPECT_TRUE(needed.count("libc.so.6"));
    std::set<std::string> allowed = {"libc.so.6", "libdl.so.2", "libm.so.6"};
#ifdef __SANITIZE_ADDRESS__
    allowed.insert({"libasan.so.8", "libubsan.so.1"});
#endif
    for (const std::string& library : needed)
        EXPECT_TRUE(allowed.count(library) != 0 || library.starts_with("ld-linux")) << library;
}

}  // namespace
