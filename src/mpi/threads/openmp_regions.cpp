// Where parallel regions of OpenMP begin and end: there a rank's threads are together. libgomp is
// watched by its functions that compilers call, libomp by its interface for tools (OMPT).

#include <dlfcn.h>

#include "mpi/clocks/caller.hpp"
#include "mpi/clocks/rank_stage.hpp"
#include "mpi/clocks/real_time.hpp"
#include "mpi/clocks/thread_work.hpp"
#include "mpi/export.hpp"

using namespace kumi::mpi;

namespace {

/// While it lives, the calling thread is in a parallel region.
class Region {
   public:
    Region() { thread_work::begin_region(); }
    ~Region() { thread_work::end_region(); }
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;
};

/// A function of libgomp. Where that came with a library that keeps it to itself, only that library
/// can find it.
template <class Function>
class GompFunction {
   public:
    constexpr explicit GompFunction(const char* name) : x_name(name), x_next(name) {}

    Function* seen_from(const void* caller) {
        Function* next = x_next.find();
        return next != nullptr ? next : reinterpret_cast<Function*>(find_from(caller));
    }

   private:
    void* find_from(const void* caller) const {
        Dl_info library{};
        if (::dladdr(caller, &library) == 0) return nullptr;
        void* handle = ::dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
        if (handle == nullptr) return nullptr;
        void* found = ::dlsym(handle, x_name);
        ::dlclose(handle);
        return found;
    }

    const char* x_name;
    NextFunction<Function> x_next;
};

using Body = void(void*);

// As in omp-tools.h of OpenMP 5.0 and newer.
using OmptFunction = void (*)();
using OmptLookup = OmptFunction(const char*);
using OmptSetCallback = int(int, OmptFunction);
constexpr int kParallelBegin = 3;
constexpr int kParallelEnd = 4;

struct OmptTool {
    int (*initialize)(OmptLookup*, int, void*);
    void (*finalize)(void*);
    std::uint64_t data;
};

void begin_team(void*, const void*, void*, unsigned, int, const void*) {
    thread_work::begin_region();
}
void end_team(void*, void*, int, const void*) { thread_work::end_region(); }

int watch_teams(OmptLookup* look_up, int, void*) {
    auto* set = reinterpret_cast<OmptSetCallback*>(look_up("ompt_set_callback"));
    if (set == nullptr) return 0;
    set(kParallelBegin, reinterpret_cast<OmptFunction>(begin_team));
    set(kParallelEnd, reinterpret_cast<OmptFunction>(end_team));
    return 1;
}
void stop_watching(void*) {}

constinit OmptTool tool{watch_teams, stop_watching, 0};

}  // namespace

// KUMI_REGION(NAME, PARAMETERS, ARGUMENTS): NAME makes a team, which works, and waits for it.
#define KUMI_REGION(name, parameters, ...)                          \
    KUMI_EXPORT void name parameters {                              \
        static constinit GompFunction<void parameters> gomp{#name}; \
        auto* next = gomp.seen_from(KUMI_CALLER);                   \
        const Region region;                                        \
        next(__VA_ARGS__);                                          \
    }

KUMI_REGION(GOMP_parallel, (Body * body, void* data, unsigned threads, unsigned flags), body, data,
            threads, flags)
KUMI_REGION(GOMP_parallel_sections,
            (Body * body, void* data, unsigned threads, unsigned count, unsigned flags), body, data,
            threads, count, flags)

#define KUMI_LOOP(name)                                                                      \
    KUMI_REGION(name,                                                                        \
                (Body * body, void* data, unsigned threads, long start, long end, long step, \
                 long chunk, unsigned flags),                                                \
                body, data, threads, start, end, step, chunk, flags)
KUMI_LOOP(GOMP_parallel_loop_static)
KUMI_LOOP(GOMP_parallel_loop_dynamic)
KUMI_LOOP(GOMP_parallel_loop_guided)
KUMI_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
KUMI_LOOP(GOMP_parallel_loop_nonmonotonic_guided)

#define KUMI_RUNTIME_LOOP(name)                                                              \
    KUMI_REGION(name,                                                                        \
                (Body * body, void* data, unsigned threads, long start, long end, long step, \
                 unsigned flags),                                                            \
                body, data, threads, start, end, step, flags)
KUMI_RUNTIME_LOOP(GOMP_parallel_loop_runtime)
KUMI_RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
KUMI_RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

KUMI_EXPORT unsigned GOMP_parallel_reductions(Body* body, void* data, unsigned threads,
                                              unsigned flags) {
    static constinit GompFunction<unsigned(Body*, void*, unsigned, unsigned)> gomp{
        "GOMP_parallel_reductions"};
    auto* next = gomp.seen_from(KUMI_CALLER);
    const Region region;
    return next(body, data, threads, flags);
}

/// libomp asks this of the tool that is there.
KUMI_EXPORT void* ompt_start_tool(unsigned, const char*) {
    return stage() == Stage::kOutside ? nullptr : &tool;
}
