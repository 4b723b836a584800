// A run without a conductor: a clock of this process alone, and a log of what the shim said.
//
// The log goes to the file that KUMI_TEST_LOG names. KUMI_SEGMENT=broken makes attaching fail; with
// KUMI_SEGMENT=contents the run wants to know what messages consist of, with KUMI_SEGMENT=sites
// where the program calls MPI, with KUMI_SEGMENT=profile calls are profiled, and with
// KUMI_SEGMENT=wakes links take wake frames, and MPI_Send sends a message to rank 1.

#include <fcntl.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "mpi/run_link.hpp"

namespace kumi::mpi::run_link {
namespace {

constinit Instant clock{};
constinit Instant began{};
constinit conductor::SentMessage sent{};
constinit bool has_sent = false;
constinit std::uint32_t calls = 0;

__attribute__((format(printf, 1, 2))) void log(const char* format, ...) {
    const char* path = std::getenv("KUMI_TEST_LOG");
    if (path == nullptr) return;
    char line[300];
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const int file = ::open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file < 0 || ::write(file, line, static_cast<std::size_t>(length)) != length) std::abort();
    ::close(file);
}

/// In the order of CallClass.
constexpr const char* kClassNames[] = {"unknown", "blocking",   "polling",    "window",
                                       "probing", "background", "synchronous"};

}  // namespace

bool attach() {
    log("attach\n");
    return std::strcmp(std::getenv("KUMI_SEGMENT"), "broken") != 0;
}
std::uint32_t host() { return 7; }
std::uint32_t rank() {
    const char* mpich = std::getenv("PMI_RANK");
    const char* text = mpich != nullptr ? mpich : std::getenv("OMPI_COMM_WORLD_RANK");
    return static_cast<std::uint32_t>(std::atoi(text));
}
double node_flops() { return 1e9; }

bool distinguishes_sites() { return std::strcmp(std::getenv("KUMI_SEGMENT"), "sites") == 0; }
std::uint16_t add_site(const CallName& function, std::string_view module, std::uint64_t offset) {
    static constinit std::uint16_t count = 0;
    log("site %d: %s %d %d\n", ++count, function.text, module.empty(), offset == 0);
    return count;
}
void set_site(std::uint16_t site) { log("at site %d\n", site); }

bool profiles_calls() { return std::strcmp(std::getenv("KUMI_SEGMENT"), "profile") == 0; }
std::uint32_t add_profiled(const CallName& function, std::string_view module,
                           std::uint64_t offset) {
    static constinit std::uint32_t count = 0;
    log("place %u: %s %d %d\n", ++count, function.text, module.empty(), offset == 0);
    return count;
}
void sum_call(std::uint32_t place, std::uint32_t members, bool only_asks) {
    log("ends at place %u, %u members%s\n", place, members, only_asks ? ", only asks" : "");
}

bool schedules_collectives() { return false; }
conductor::CollectivePort& collectives() { std::abort(); }
std::uint64_t eager_limit_bytes() { return 0; }

bool classifies_communicators() { return false; }
bool classifies_messages() { return std::strcmp(std::getenv("KUMI_SEGMENT"), "contents") == 0; }

void join(bool alone_calls_mpi) { log(alone_calls_mpi ? "join\n" : "join, threads may call\n"); }
void finish() { log("finish %lld\n", static_cast<long long>(clock.ps)); }
void enter(CallClass call_class, const CallName& name) {
    log("enter %s %s\n", kClassNames[static_cast<int>(call_class)], name.text);
    began = clock;
    ++calls;
    has_sent = takes_wakes() && std::strcmp(name.text, "MPI_Send") == 0;
    if (!has_sent) return;
    clock += Duration{1'000'000};
    sent = {.target = 1, .first = clock, .last = clock, .messages = 1, .bytes = 64};
    clock += Duration{1'000'000};
}
void leave() { log("leave\n"); }
std::uint32_t call_number() { return calls; }
bool records_calls() { return false; }
conductor::CallLogPort& call_log() { std::abort(); }
void program_aborts(int code) { log("aborts %d\n", code); }
void poll_longer() { log("polls longer\n"); }
void begin_outside() { log("begins outside\n"); }
void give_way() { log("gives way\n"); }
void end_outside(bool by_rank) { log("ends outside%s\n", by_rank ? " by itself" : ""); }
bool note_refused(const CallName& name) {
    log("refused %s\n", name.text);
    return true;
}
void note_unknown_hint(const CallName& key) { log("unknown hint %s\n", key.text); }
void note_asserted(AssertionSet assertions, bool receives, bool sends) {
    log("asserted %d%s%s\n", assertions.bits, receives ? " receives" : "", sends ? " sends" : "");
}
void note_broken_assertion(Assertion assertion, const char* function) {
    log("broken %d %s\n", static_cast<int>(assertion), function);
}
void refuse(const char* text) { log("refuse %s\n", text); }

bool counts_work() { return std::strcmp(std::getenv("KUMI_SEGMENT"), "counted") == 0; }
void follow_work(const std::uint64_t* millicycles, std::uint64_t flops_per_kilocycle) {
    log("follow %llu %llu\n", static_cast<unsigned long long>(*millicycles),
        static_cast<unsigned long long>(flops_per_kilocycle));
}

// CPU time takes as long as it is.
bool measures_time() { return std::strcmp(std::getenv("KUMI_SEGMENT"), "measured") == 0; }
void measure_from_here() { log("measures from here\n"); }
void note_threads() {}
Duration time_of_cpu(std::int64_t cpu_ns) { return Duration{cpu_ns * 1000}; }
Duration time_of_work(std::uint64_t millicycles) {
    return Duration{static_cast<std::int64_t>(millicycles)};
}
CoreShare cores() { return {1, 1}; }

Instant now() { return clock; }
Instant peek() { return clock; }
Instant watch() { return clock; }
void keep_in_time() {}
Instant look_at_clock() { return clock; }
Instant read_clock() { return clock += Duration{50'000}; }
void compute(Duration span) { clock += span; }
void note_real_clock(RealClock clock_read) {
    log("real clock %u\n", static_cast<unsigned>(clock_read));
}
void note_exit(int) {}
void sleep(Duration span) {
    log("sleep %lld\n", static_cast<long long>(span.ps));
    clock += span;
}

bool takes_wakes() { return std::strcmp(std::getenv("KUMI_SEGMENT"), "wakes") == 0; }
Duration wake_lead(std::uint32_t) { return Duration{8'000'000}; }
Duration wake_lead_between(std::uint32_t, std::uint32_t) { return {}; }
void note_hint(endpoint::service::Hint) {}
Duration shortest_sleep() { return Duration{7'000'000}; }
void wake(std::span<const conductor::WakeRequest> requests) {
    for (const conductor::WakeRequest& request : requests)
        log("wake %u in %lld for %lld\n", request.target, static_cast<long long>(request.delay.ps),
            static_cast<long long>(request.hold.ps));
}
Duration wake_cost() { return {}; }
void wake_by_timer(std::span<const conductor::WakeRequest>) {}
void await_links(Duration) {}
std::span<const conductor::SentMessage> sent_in_call() { return {&sent, has_sent ? 1U : 0U}; }
Instant call_begin() { return began; }

}  // namespace kumi::mpi::run_link
