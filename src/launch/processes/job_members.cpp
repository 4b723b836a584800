#include "launch/processes/job_members.hpp"

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
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

#include "launch/unique_fd.hpp"

namespace kumi::launch {
namespace {

constexpr long kMillisecondInNs = 1'000'000;

/// The process id that an entry of /proc is named by; 0 if it is none.
pid_t pid_from_name(const char* name) {
    pid_t pid = 0;
    const char* end = name + std::strlen(name);
    const auto result = std::from_chars(name, end, pid);
    return result.ec == std::errc{} && result.ptr == end ? pid : 0;
}

/// A file of /proc about `pid`; none if the process is gone or not ours.
UniqueFd open_about(pid_t pid, const char* name) {
    std::array<char, 32> path;
    std::snprintf(path.data(), path.size(), "/proc/%d/%s", pid, name);
    return UniqueFd(::open(path.data(), O_RDONLY | O_CLOEXEC));
}

/// Whether `pid` was given an empty environment. While execve() is at work, the addresses of the
/// new one are zero, or for an instant equal (proc_pid_stat(5), fields 50 and 51).
bool has_empty_environment(pid_t pid) {
    const UniqueFd file = open_about(pid, "stat");
    std::array<char, 1024> text = {};
    if (!file || ::read(file.get(), text.data(), text.size() - 1) <= 0) return true;
    // The name, in parentheses, may hold spaces; the state, field 3, follows it.
    const char* field = std::strrchr(text.data(), ')');
    for (int number = 2; field != nullptr && number < 50; ++number) {
        field = std::strchr(field + 1, ' ');
    }
    unsigned long start = 0;
    unsigned long end = 0;
    const bool is_read = field != nullptr && std::sscanf(field, "%lu %lu", &start, &end) == 2;
    return !is_read || (start == end && start != 0);
}

/// Whether `pid` runs a program: kernel threads and zombies do not.
bool has_program(pid_t pid) {
    std::array<char, 32> path;
    std::snprintf(path.data(), path.size(), "/proc/%d/exe", pid);
    char first;
    return ::readlink(path.data(), &first, 1) > 0;
}

/// What a look at a process shows. While execve() is at work it shows no environment (kChanging).
enum class Membership { kMember, kOther, kEmpty, kChanging };

/// Whether `entry` (NAME=value) stands in the environment of `pid`, read in pieces, since an
/// environment may be of megabytes.
Membership membership(pid_t pid, std::string_view entry) {
    const UniqueFd file = open_about(pid, "environ");
    if (!file) return Membership::kOther;
    std::array<char, 16 * 1024> buffer;
    std::size_t kept = 0;
    bool is_empty = true;
    for (;;) {
        const ssize_t length = ::read(file.get(), buffer.data() + kept, buffer.size() - kept);
        if (length <= 0) break;
        is_empty = false;
        const std::size_t filled = kept + static_cast<std::size_t>(length);
        if (std::string_view(buffer.data(), filled).find(entry) != std::string_view::npos) {
            return Membership::kMember;
        }
        // The entry may lie across the border of two pieces.
        kept = filled < entry.size() ? filled : entry.size() - 1;
        std::memmove(buffer.data(), buffer.data() + filled - kept, kept);
    }
    if (!is_empty || !has_program(pid)) return Membership::kOther;
    return has_empty_environment(pid) ? Membership::kEmpty : Membership::kChanging;
}

void pause_ms(long milliseconds) {
    const timespec span = {0, milliseconds * kMillisecondInNs};
    ::nanosleep(&span, nullptr);
}

/// As membership(), looking again while execve() is at work.
bool is_member(pid_t pid, std::string_view entry) {
    constexpr int kMaxLooks = 1000;
    constexpr int kLooksThatConvince = 3;
    int empty_looks = 0;
    for (int look = 0; look < kMaxLooks && empty_looks < kLooksThatConvince; ++look) {
        const Membership known = membership(pid, entry);
        if (known == Membership::kMember) return true;
        if (known == Membership::kOther) return false;
        if (known == Membership::kEmpty) ++empty_looks;
        pause_ms(1);
    }
    return false;
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
        if (pid > 0 && pid != ::getpid() && is_member(pid, entry)) {
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

std::uint32_t mpich_world_id(std::string_view space_name) {
    std::uint32_t hash = 2'166'136'261U;
    for (char c : space_name) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619U;
    return hash;
}

void remove_mpich_shared_memory(std::string_view space_name, const std::string& directory) {
    std::array<char, 16> id;
    std::snprintf(id.data(), id.size(), "%x_", mpich_world_id(space_name));
    const std::string segments = std::string("mpich_shm_") + id.data();
    const std::string interfaces = std::string("mpich_vci_") + id.data();
    std::error_code ignored;
    for (const auto& file : std::filesystem::directory_iterator(directory, ignored)) {
        const std::string name = file.path().filename();
        if (name.starts_with(segments) || name.starts_with(interfaces))
            std::filesystem::remove(file.path(), ignored);
    }
}

}  // namespace kumi::launch
