#include "launch/job_members.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <set>
#include <string_view>

#include "launch/unique_fd.hpp"

namespace kumi {
namespace {

constexpr long kMillisecondInNs = 1'000'000;

/// The process id that an entry of /proc is named by; 0 if it is none.
pid_t pid_from_name(const char* name) {
    pid_t pid = 0;
    const char* end = name + std::strlen(name);
    const auto result = std::from_chars(name, end, pid);
    return result.ec == std::errc{} && result.ptr == end ? pid : 0;
}

/// Whether `entry` (NAME=value) stands in the environment of `pid`, read in pieces, since an
/// environment may be of megabytes.
bool environment_contains(pid_t pid, std::string_view entry) {
    std::array<char, 32> path;
    std::snprintf(path.data(), path.size(), "/proc/%d/environ", pid);
    const UniqueFd file(::open(path.data(), O_RDONLY | O_CLOEXEC));
    if (!file) return false;
    std::array<char, 16 * 1024> buffer;
    std::size_t kept = 0;
    for (;;) {
        const ssize_t length = ::read(file.get(), buffer.data() + kept, buffer.size() - kept);
        if (length <= 0) return false;
        const std::size_t filled = kept + static_cast<std::size_t>(length);
        if (std::string_view(buffer.data(), filled).find(entry) != std::string_view::npos) {
            return true;
        }
        // The entry may lie across the border of two pieces.
        kept = filled < entry.size() ? filled : entry.size() - 1;
        std::memmove(buffer.data(), buffer.data() + filled - kept, kept);
    }
}

void pause_ms(long milliseconds) {
    const timespec span = {0, milliseconds * kMillisecondInNs};
    ::nanosleep(&span, nullptr);
}

/// Waits for those of `processes`, all of them killed, that are the caller's children.
void wait_for_children(const std::set<pid_t>& processes) {
    constexpr int kMaxWaits = 1000;
    for (pid_t pid : processes) {
        for (int i = 0; i < kMaxWaits && ::waitpid(pid, nullptr, WNOHANG) == 0; ++i) pause_ms(1);
    }
}

}  // namespace

std::vector<pid_t> find_job_members(const std::string& name) {
    // The value ends with its terminating zero, so that job 1.23 is not taken for job 1.2.
    std::string entry = std::string(kJobVariable) + "=" + name;
    entry += '\0';
    std::vector<pid_t> members;
    DIR* processes = ::opendir("/proc");
    if (processes == nullptr) return members;
    while (const dirent* process = ::readdir(processes)) {
        const pid_t pid = pid_from_name(process->d_name);
        if (pid > 0 && pid != ::getpid() && environment_contains(pid, entry)) {
            members.push_back(pid);
        }
    }
    ::closedir(processes);
    return members;
}

bool kill_job_members(const std::string& name) {
    constexpr int kMaxRounds = 250;
    std::set<pid_t> killed;
    std::vector<pid_t> members = find_job_members(name);
    for (int round = 0; round < kMaxRounds && !members.empty(); ++round) {
        for (pid_t pid : members) ::kill(pid, SIGKILL);
        killed.insert(members.begin(), members.end());
        pause_ms(round < 10 ? 2 : 20);
        members = find_job_members(name);
    }
    wait_for_children(killed);
    return members.empty();
}

}  // namespace kumi
