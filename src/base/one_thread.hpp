#pragma once

#include <sys/stat.h>

namespace kumi::inline base {

/// Whether the calling process has no other thread.
inline bool has_one_thread() {
    struct stat tasks{};
    // One link for each thread, besides the folder's own two.
    return ::stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

}  // namespace kumi::inline base
