#include "mpi/process/seed_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/one_thread.hpp"
#include "base/seed_protocol.hpp"
#include "mpi/code/large_code_pages.hpp"

namespace kumi::mpi {
namespace {

int seed_socket() {
    const char* text = std::getenv(kSeedVariable);
    return text == nullptr ? -1 : std::atoi(text);
}

/// What a copy of this process needs to be as good as one that the C library has made.
struct CopyParts {
    int* thread_id = nullptr;  ///< Where the C library keeps the number of the only thread.
    void* robust_list = nullptr;
    std::size_t robust_list_bytes = 0;
};

/// Whether a library has made memory, while it was loaded, that copies of the process would share.
bool shares_memory() {
    std::FILE* maps = std::fopen("/proc/self/maps", "re");
    if (maps == nullptr) return true;
    char line[512];
    bool shares = false;
    bool at_start = true;
    while (std::fgets(line, sizeof line, maps) != nullptr) {
        const char* rights = std::strchr(line, ' ');
        if (at_start && rights != nullptr && rights[2] == 'w' && rights[4] == 's') shares = true;
        at_start = std::strchr(line, '\n') != nullptr;
    }
    std::fclose(maps);
    return shares;
}

bool find_parts(CopyParts& parts) {
    return ::prctl(PR_GET_TID_ADDRESS, &parts.thread_id) == 0 && parts.thread_id != nullptr &&
           *parts.thread_id == ::getpid() &&
           ::syscall(SYS_get_robust_list, 0, &parts.robust_list, &parts.robust_list_bytes) == 0;
}

/// Makes a copy of this process that is a child of this one's parent: the launcher watches ranks,
/// and they die with it, however they were started. That is what fork() cannot do.
pid_t copy_process(const CopyParts& parts) {
    constexpr unsigned long kFlags =
        CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
#ifdef __x86_64__
    const long pid = ::syscall(SYS_clone, kFlags, nullptr, nullptr, parts.thread_id, nullptr);
#else
    const long pid = ::syscall(SYS_clone, kFlags, nullptr, nullptr, nullptr, parts.thread_id);
#endif
    if (pid == 0) ::syscall(SYS_set_robust_list, parts.robust_list, parts.robust_list_bytes);
    return static_cast<pid_t>(pid);
}

/// The next rank to start and its PMI socket. False when the launcher wants no more.
bool receive(int socket, SeedRequest& request, int& pmi_fd) {
    iovec data = {&request, sizeof request};
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof pmi_fd)];
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    ssize_t length = 0;
    do {
        length = ::recvmsg(socket, &message, 0);
    } while (length < 0 && errno == EINTR);
    const cmsghdr* header = CMSG_FIRSTHDR(&message);
    if (length != static_cast<ssize_t>(sizeof request) || header == nullptr) return false;
    std::memcpy(&pmi_fd, CMSG_DATA(header), sizeof pmi_fd);
    return true;
}

/// In its place, so that /proc shows it.
void set_number(const char* name, std::uint32_t value) {
    char* const text = std::getenv(name);
    if (text == nullptr || std::strlen(text) != kSeedRoom) std::_Exit(127);
    std::memset(text, 0, kSeedRoom);
    std::snprintf(text, kSeedRoom + 1, "%u", value);
}

void become_rank(const SeedRequest& request, int pmi_fd, pid_t launcher) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != launcher) std::_Exit(127);  // It has died before that.
    if (request.rank != 0) {
        const int null = ::open("/dev/null", O_RDONLY);
        ::dup2(null, STDIN_FILENO);
        if (null > STDERR_FILENO) ::close(null);
    }
    ::unsetenv(kSeedVariable);
    const std::uint32_t values[] = {static_cast<std::uint32_t>(pmi_fd), request.rank,
                                    request.ranks};
    for (int i = 0; i < 3; ++i) set_number(kPmiVariables[i], values[i]);
}

/// Lets libfabric look for its providers, once for all ranks. It finds none: ours knows a seed.
void start_libfabric() {
    struct fi_info;
    using GetInfo =
        int(std::uint32_t, const char*, const char*, std::uint64_t, const fi_info*, fi_info**);
    auto* get_info = reinterpret_cast<GetInfo*>(::dlsym(RTLD_DEFAULT, "fi_getinfo"));
    constexpr std::uint32_t kVersion = 1U << 16 | 17;
    fi_info* none = nullptr;
    if (get_info != nullptr) (void)get_info(kVersion, nullptr, nullptr, 0, nullptr, &none);
}

void answer(int socket, pid_t process, int error) {
    const SeedAnswer text = {process, error};
    // If the launcher is gone, this process soon is, too.
    (void)::send(socket, &text, sizeof text, MSG_NOSIGNAL);
}

}  // namespace

bool is_seed() { return seed_socket() >= 0; }

void become_ranks() {
    const int socket = seed_socket();
    const pid_t launcher = ::getppid();
    start_libfabric();
    CopyParts parts;
    const bool is_fit = has_one_thread() && find_parts(parts) && !shares_memory();
    if (is_fit) enlarge_code_pages();
    answer(socket, 0, is_fit ? 0 : ENOTSUP);
    SeedRequest request{};
    int pmi_fd = -1;
    while (is_fit && receive(socket, request, pmi_fd)) {
        const pid_t process = copy_process(parts);
        if (process == 0) {
            ::close(socket);
            return become_rank(request, pmi_fd, launcher);
        }
        answer(socket, process, process < 0 ? errno : 0);
        ::close(pmi_fd);
    }
    std::_Exit(0);
}

}  // namespace kumi::mpi
