#include "launch/processes/job.hpp"

#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "base/check.hpp"
#include "launch/processes/job_members.hpp"

namespace kumi::launch {
namespace {

using Clock = std::chrono::steady_clock;

// What an entry of the epoll set is; its low half is the index.
constexpr std::uint64_t kPmiTag = 0;
constexpr std::uint64_t kProcessTag = 1ULL << 32;
constexpr std::uint64_t kWatchedTag = 2ULL << 32;
constexpr std::uint64_t kIndexMask = kProcessTag - 1;

/// For fewer ranks a seed costs more than it saves.
constexpr std::uint32_t kFewestCopies = 4;

/// Unique among the jobs of this computer since it was booted.
std::string new_job_name() {
    return std::to_string(::getpid()) + "." +
           std::to_string(Clock::now().time_since_epoch().count());
}

int pidfd_of(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

}  // namespace

Job::Job(JobOptions options)
    : x_options(std::move(options)),
      x_name(new_job_name()),
      x_epoll(::epoll_create1(EPOLL_CLOEXEC)) {
    KUMI_ASSERT(x_options.ranks > 0 && !x_options.arguments.empty(), "a job needs a program");
    if (!x_epoll) throw_errno("cannot watch processes");
    if (x_options.pins_to_cores) x_claim.emplace(x_options.cores);
    x_options.environment.push_back(std::string(kJobVariable) + "=" + x_name);
    x_watched.resize(x_options.ranks);
    x_processes.resize(process_count());
    if (x_options.starts_ranks_itself) return;
    PmiProtocol::Options pmi;
    pmi.space_name = x_name;
    pmi.write_ahead = x_options.writes_answers_ahead;
    pmi.preset.insert(x_options.pmi_values.begin(), x_options.pmi_values.end());
    x_pmi = std::make_unique<PmiServer>(x_options.ranks, std::move(pmi), x_epoll.get(), kPmiTag);
}

Job::~Job() { kill_all(); }

std::uint32_t Job::process_count() const {
    return x_options.starts_ranks_itself ? 1 : x_options.ranks;
}

int Job::rank_of(std::uint32_t index) const {
    return x_options.starts_ranks_itself ? kStarter : static_cast<int>(index);
}

void Job::start() {
    raise_open_file_limit();
    // Orphans of the job come to us, so that none is left behind unwaited-for.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    x_warden = std::make_unique<Warden>(x_name, x_options.temporary_paths);
    try {
        start_processes();
    } catch (const std::system_error&) {
        kill_all();
        throw;
    }
}

void Job::raise_open_file_limit() {
    // Two descriptors per rank: a common limit of 1,024 would end at 500 ranks.
    rlimit limit;
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    x_open_file_limit = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

void Job::start_processes() {
    std::unique_ptr<Seed> seed;
    if (x_options.loads_once && x_pmi && x_options.ranks >= kFewestCopies)
        seed = Seed::start(common_request());
    if (seed) x_group = seed->process_group();
    for (std::uint32_t index = 0; index < process_count(); ++index) {
        const pid_t pid = start_process(index, seed.get());
        if (x_group == 0) x_group = pid;
        ++x_running;
        if (!follow(x_processes[index], pid, kProcessTag + index))
            throw_errno("cannot watch a process");
    }
    if (seed) x_cpu_seconds += seed->end();
}

SpawnRequest Job::common_request() const {
    SpawnRequest request;
    request.arguments = x_options.arguments;
    request.environment = x_options.environment;
    request.keeps_stdin = true;
    request.core = x_claim ? x_claim->cores().front() : -1;
    request.is_batch = x_options.pins_to_cores;
    request.fixes_addresses = x_options.fixes_addresses;
    request.process_group = x_group;
    request.open_file_limit = x_open_file_limit;
    return request;
}

pid_t Job::start_process(std::uint32_t index, Seed* seed) {
    UniqueFd pmi_socket;
    if (seed != nullptr) {
        pmi_socket = x_pmi->open(index);
        return seed->start_rank(index, x_options.ranks, pmi_socket.get());
    }
    SpawnRequest request = common_request();
    request.keeps_stdin = index == 0;
    if (x_pmi) {
        pmi_socket = x_pmi->open(index);
        request.inherited_fds.push_back(pmi_socket.get());
        request.environment.push_back("PMI_FD=" + std::to_string(pmi_socket.get()));
        request.environment.push_back("PMI_RANK=" + std::to_string(index));
        request.environment.push_back("PMI_SIZE=" + std::to_string(x_options.ranks));
    }
    return spawn_process(request);
}

bool Job::follow(Process& process, pid_t pid, std::uint64_t tag) {
    process.pid = pid;
    process.is_running = true;
    process.pidfd = UniqueFd(pidfd_of(pid));
    if (!process.pidfd) return false;
    epoll_event event{.events = EPOLLIN, .data = {.u64 = tag}};
    if (::epoll_ctl(x_epoll.get(), EPOLL_CTL_ADD, process.pidfd.get(), &event) != 0)
        throw_errno("cannot watch a process");
    return true;
}

void Job::watch(std::uint32_t rank, pid_t pid) {
    if (rank >= x_options.ranks) throw std::out_of_range("no such rank");
    // One that has ended already: its starter reports how.
    (void)follow(x_watched[rank], pid, kWatchedTag + rank);
}

std::vector<JobEvent> Job::step(int timeout_ms) {
    const auto deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
    std::vector<JobEvent> events;
    std::array<epoll_event, 64> ready;
    for (;;) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        const int count = ::epoll_wait(x_epoll.get(), ready.data(), ready.size(),
                                       left > 0 ? static_cast<int>(left) : 0);
        for (int i = 0; i < count; ++i) handle(ready[static_cast<std::size_t>(i)].data.u64, events);
        if (x_pmi) collect_notices(events);
        // A signal for the launcher must be looked at now.
        const bool was_interrupted = count < 0;
        if (was_interrupted || !events.empty() || Clock::now() >= deadline) break;
    }
    collect_stops(events);
    return events;
}

void Job::handle(std::uint64_t tag, std::vector<JobEvent>& events) {
    const auto index = static_cast<std::uint32_t>(tag & kIndexMask);
    switch (tag & ~kIndexMask) {
        case kPmiTag:
            x_pmi->handle(index);
            break;
        case kProcessTag:
            // Its last words first: they may say why it ended.
            if (x_pmi) {
                x_pmi->handle(index);
                collect_notices(events);
            }
            reap(index, events);
            break;
        case kWatchedTag:
            forget(x_watched[index]);
            x_watched[index].is_running = false;
            events.push_back({.kind = JobEvent::Kind::kVanished, .rank = static_cast<int>(index)});
            break;
        default:
            KUMI_ASSERT(false, "unknown entry of the epoll set");
    }
}

void Job::forget(Process& process) {
    // Closing alone would not do: a process that is just being started may still have a copy of the
    // descriptor, and the set would go on reporting it.
    ::epoll_ctl(x_epoll.get(), EPOLL_CTL_DEL, process.pidfd.get(), nullptr);
    process.pidfd.reset();
}

void Job::reap(std::uint32_t index, std::vector<JobEvent>& events) {
    Process& process = x_processes[index];
    int status = 0;
    rusage usage = {};
    const pid_t pid = ::wait4(process.pid, &status, WNOHANG, &usage);
    if (pid == 0) return;
    forget(process);
    process.is_running = false;
    --x_running;
    if (pid < 0) {
        // Another thread has waited for our child.
        events.push_back({.kind = JobEvent::Kind::kVanished, .rank = rank_of(index)});
        return;
    }
    x_cpu_seconds += seconds_of(usage);
    JobEvent event{.kind = JobEvent::Kind::kExited, .rank = rank_of(index)};
    if (WIFSIGNALED(status)) {
        event.kind = JobEvent::Kind::kSignalled;
        event.signal = WTERMSIG(status);
        event.core_dumped = WCOREDUMP(status);
    } else {
        event.code = WEXITSTATUS(status);
    }
    events.push_back(std::move(event));
}

void Job::collect_stops(std::vector<JobEvent>& events) {
    // Any child: stops do not show on a pidfd. Ends are left to reap().
    siginfo_t info = {};
    while (::waitid(P_ALL, 0, &info, WSTOPPED | WCONTINUED | WNOHANG) == 0 && info.si_pid != 0) {
        for (std::uint32_t index = 0; index < x_processes.size(); ++index) {
            if (x_processes[index].pid != info.si_pid) continue;
            const bool stopped = info.si_code != CLD_CONTINUED;
            events.push_back(
                {.kind = stopped ? JobEvent::Kind::kStopped : JobEvent::Kind::kContinued,
                 .rank = rank_of(index),
                 .signal = stopped ? info.si_status : 0});
        }
        info = {};
    }
}

void Job::collect_notices(std::vector<JobEvent>& events) {
    for (PmiNotice& notice : x_pmi->protocol().take_notices()) {
        const bool aborts = notice.kind == PmiNotice::Kind::kAbort;
        events.push_back(
            {.kind = aborts ? JobEvent::Kind::kPmiAbort : JobEvent::Kind::kPmiViolation,
             .rank = static_cast<int>(notice.rank),
             .code = notice.code,
             .text = std::move(notice.text)});
    }
}

bool Job::kill_all() {
    if (!x_warden) return true;
    // A process group lives as long as a member of it; later its number may be that of another.
    if (x_running > 0) ::kill(-x_group, SIGKILL);
    bool all_killed = true;
    for (Process& process : x_processes) {
        if (process.is_running) all_killed = kill_and_wait(process) && all_killed;
    }
    all_killed = kill_job_members(x_name) && all_killed;
    x_running = 0;
    remove_mpich_shared_memory(x_name);
    x_warden.reset();
    return all_killed;
}

bool Job::kill_and_wait(Process& process) {
    constexpr int kMaxWaits = 5000;
    ::kill(process.pid, SIGKILL);
    process.is_running = false;
    process.pidfd.reset();
    for (int i = 0; i < kMaxWaits; ++i) {
        rusage usage = {};
        if (::wait4(process.pid, nullptr, WNOHANG, &usage) != 0) {
            x_cpu_seconds += seconds_of(usage);
            return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

pid_t Job::pid(int rank) const {
    if (x_options.starts_ranks_itself != (rank == kStarter)) return 0;
    const auto index = rank == kStarter ? 0U : static_cast<std::uint32_t>(rank);
    return index < x_processes.size() ? x_processes[index].pid : 0;
}

PmiPhase Job::pmi_phase(std::uint32_t rank) const {
    return x_pmi && rank < x_options.ranks ? x_pmi->protocol().phase(rank) : PmiPhase::kSilent;
}

}  // namespace kumi::launch
