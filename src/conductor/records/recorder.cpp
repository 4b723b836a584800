#include "conductor/records/recorder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace kumi::conductor {
namespace {

constexpr const char* kNames[] = {"messages.bin",        "states.bin",         "operations.bin",
                                  "service_traffic.bin", "service_memory.bin", "calls.bin"};

/// For one buffer only: were the descriptor kept, a program that closes all that it does not know
/// and opens its own file would find records in it.
int open_file(int which, const char* directory) {
    char path[Recorder::kPathBytes + 16];
    std::snprintf(path, sizeof path, "%s/%s", directory, kNames[which]);
    return ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

bool write_all(int descriptor, const unsigned char* bytes, std::uint32_t size_bytes) {
    while (size_bytes > 0) {
        const ssize_t count = ::write(descriptor, bytes, size_bytes);
        if (count < 0 && errno == EINTR) continue;
        if (count == 0) errno = ENOSPC;
        if (count <= 0) return false;
        bytes += count;
        size_bytes -= static_cast<std::uint32_t>(count);
    }
    return true;
}

}  // namespace

Recorder::Recorder(Arena* arena, Detail level, RecordExtras extras)
    : x_level(level), x_extras(extras) {
    const bool is_used[kFiles] = {
        true, true, extras.operations, extras.services, extras.services, extras.calls};
    for (int which = 0; which < kFiles; ++which) {
        if (!is_used[which]) continue;
        x_bytes[which] = static_cast<unsigned char*>(arena->allocate(kBufferBytes));
    }
}

void Recorder::set_directory(const char* directory) {
    KUMI_ASSERT(std::strlen(directory) < kPathBytes, "path of the records is too long");
    std::strcpy(x_directory, directory);
}

bool Recorder::add(const MessageRecord& record) { return append(0, &record, sizeof record); }
bool Recorder::add(const StateRecord& record) { return append(1, &record, sizeof record); }
bool Recorder::add(const OperationRecord& record) { return append(2, &record, sizeof record); }

bool Recorder::add(const TrafficRecord& record) { return append(3, &record, sizeof record); }

bool Recorder::add(const ServiceMemoryRecord& record) { return append(4, &record, sizeof record); }

bool Recorder::add(const CallRecord& record) { return append(5, &record, sizeof record); }

bool Recorder::append(int which, const void* record, std::uint32_t size_bytes) {
    if (x_used[which] + size_bytes > kBufferBytes && !flush(which)) return false;
    std::memcpy(x_bytes[which] + x_used[which], record, size_bytes);
    x_used[which] += size_bytes;
    return true;
}

bool Recorder::flush() {
    bool all_written = true;
    for (int which = 0; which < kFiles; ++which) all_written = flush(which) && all_written;
    return all_written;
}

bool Recorder::flush(int which) {
    if (x_directory[0] == '\0') x_used[which] = 0;
    if (x_used[which] == 0) return true;
    if (x_broken) return false;
    const int descriptor = open_file(which, x_directory);
    x_broken = descriptor < 0 || !write_all(descriptor, x_bytes[which], x_used[which]);
    const int error = errno;
    if (descriptor >= 0) ::close(descriptor);
    errno = error;
    if (!x_broken) x_used[which] = 0;
    return !x_broken;
}

}  // namespace kumi::conductor
