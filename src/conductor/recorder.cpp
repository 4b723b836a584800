#include "conductor/recorder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace kumi {
namespace {

constexpr const char* kNames[2] = {"messages.bin", "states.bin"};

/// This process's own descriptors. A forked child that is no rank never gets here.
int open_files[2] = {-1, -1};

int file(int which, const char* directory) {
    if (open_files[which] < 0) {
        char path[Recorder::kPathBytes + 16];
        std::snprintf(path, sizeof path, "%s/%s", directory, kNames[which]);
        open_files[which] = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    }
    return open_files[which];
}

}  // namespace

Recorder::Recorder(Arena* arena, RecordLevel level) : x_level(level) {
    for (auto& bytes : x_bytes) bytes = static_cast<unsigned char*>(arena->allocate(kBufferBytes));
}

void Recorder::set_directory(const char* directory) {
    KUMI_ASSERT(std::strlen(directory) < kPathBytes, "path of the records is too long");
    std::strcpy(x_directory, directory);
}

bool Recorder::add(const MessageRecord& record) { return append(0, &record, sizeof record); }
bool Recorder::add(const StateRecord& record) { return append(1, &record, sizeof record); }

bool Recorder::append(int which, const void* record, std::uint32_t size_bytes) {
    if (x_used[which] + size_bytes > kBufferBytes && !flush(which)) return false;
    std::memcpy(x_bytes[which] + x_used[which], record, size_bytes);
    x_used[which] += size_bytes;
    return true;
}

bool Recorder::flush() {
    const bool messages_written = flush(0);
    return flush(1) && messages_written;
}

bool Recorder::flush(int which) {
    if (x_directory[0] == '\0') x_used[which] = 0;
    if (x_used[which] == 0) return true;
    if (x_broken) return false;
    const int descriptor = file(which, x_directory);
    if (descriptor < 0) {
        x_broken = true;
        return false;
    }
    std::uint32_t written = 0;
    while (written < x_used[which]) {
        const ssize_t count =
            ::write(descriptor, x_bytes[which] + written, x_used[which] - written);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            if (count == 0) errno = ENOSPC;
            x_broken = true;
            return false;
        }
        written += static_cast<std::uint32_t>(count);
    }
    x_used[which] = 0;
    return true;
}

}  // namespace kumi
