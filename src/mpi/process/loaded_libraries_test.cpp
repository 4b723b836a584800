// What ranks load lives in strangers' processes: it must show its entry points only, and need libc
// alone.

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <ostream>
#include <set>
#include <string>

namespace kumi::mpi {
namespace {

struct LoadedLibrary {
    std::string file;
    std::string entry_points;  ///< An extended regular expression for grep.
    std::size_t at_least = 0;  ///< As many entry points it has.
};

void PrintTo(const LoadedLibrary& library, std::ostream* out) { *out << library.file; }

const std::string kShimEntryPoints =
    "MPIX?_[A-Z][A-Za-z0-9_]*|mpi_[a-z0-9_]*_|kumi_(approx_make_(fortran_)?type|compute_(seconds|"
    "flops)|virtual_seconds"
    "|is_simulated|shim_table|wake_(rank|(fortran_)?members?|next|offer)|hint)|clock_gettime|"
    "gettimeofday|"
    "time|timespec_get|("
    "clock_)?nanosleep|thrd_sleep"
    "|u?sleep|pthread_cond_((timed|clock)?wait|signal|broadcast|init)"
    "|pthread_mutex_((timed|clock)?lock|unlock|init)|pthread_rwlock_(rdlock|wrlock|unlock)"
    "|pthread_(create|join|(try|timed|clock)join_np|barrier_(init|wait))"
    "|GOMP_parallel(_[a-z_]+)?|ompt_start_tool|thrd_(create|join)|mtx_(un)?lock|cnd_(wait|signal|"
    "broadcast)"
    "|sem_((timed|clock)?wait|post|init)|p?poll|p?select|epoll_p?wait|sched_yield|aio_(read|write)("
    "64)?"
    "|gethostname|uname|clock|times|getrusage|alarm|setitimer|timer(fd)?_settime|syscall"
    "|sigaction|s?signal|(__)?sysv_signal|sigprocmask|pthread_sigmask"
    "|exec(l|le|lp|v|ve|vp|vpe)|fexecve|posix_spawnp?|system|popen|fopen";

std::set<std::string> lines_of(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::set<std::string> lines;
    char line[1000];
    while (std::fgets(line, sizeof line, pipe.get()) != nullptr)
        lines.insert(std::string(line, std::string(line).find_last_not_of('\n') + 1));
    return lines;
}

class LoadedLibraries : public testing::TestWithParam<LoadedLibrary> {};

TEST_P(LoadedLibraries, ExportEntryPointsOnly) {
    const std::string names = "nm -D --defined-only " + GetParam().file + " | cut -d' ' -f3";
    EXPECT_GE(lines_of(names).size(), GetParam().at_least);
    EXPECT_EQ(lines_of(names + " | grep -vxE '" + GetParam().entry_points + "'"),
              std::set<std::string>{});
}

TEST_P(LoadedLibraries, NeedLibcOnly) {
    const auto needed =
        lines_of("readelf -d " + GetParam().file + " | sed -n 's/.*NEEDED.*\\[\\(.*\\)\\]/\\1/p'");
    EXPECT_TRUE(needed.contains("libc.so.6"));
    std::set<std::string> allowed = {"libc.so.6", "libdl.so.2", "libm.so.6"};
#ifdef __SANITIZE_ADDRESS__
    allowed.insert({"libasan.so.8", "libubsan.so.1"});
#endif
#ifdef __SANITIZE_THREAD__
    allowed.insert("libtsan.so.2");
#endif
    for (const std::string& library : needed)
        EXPECT_TRUE(allowed.contains(library) || library.starts_with("ld-linux")) << library;
}

INSTANTIATE_TEST_SUITE_P(Mpich, LoadedLibraries,
                         testing::Values(LoadedLibrary{KUMI_LOADED_SHIM, kShimEntryPoints, 500}));
INSTANTIATE_TEST_SUITE_P(OpenMpi, LoadedLibraries,
                         testing::Values(LoadedLibrary{KUMI_LOADED_SHIM_OPEN_MPI, kShimEntryPoints,
                                                       500}));
INSTANTIATE_TEST_SUITE_P(Provider, LoadedLibraries,
                         testing::Values(LoadedLibrary{KUMI_LOADED_PROVIDER, "fi_prov_ini", 1}));

}  // namespace
}  // namespace kumi::mpi
