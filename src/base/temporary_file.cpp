#include "base/temporary_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace kumi::inline base {
namespace {

/// /tmp is memory on many systems, /var/tmp is not.
std::string temporary_folder() {
    const char* const wanted = std::getenv("TMPDIR");
    return wanted != nullptr && *wanted != '\0' ? wanted : "/var/tmp";
}

/// Returns a descriptor, or -1 with errno.
int open_unnamed(const std::string& folder) {
    const int unnamed = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    // A file system, or a kernel, that knows no files without names.
    if (unnamed >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return unnamed;
    std::string name = folder + "/kumihimo.XXXXXX";
    const int named = ::mkostemp(name.data(), O_CLOEXEC);
    if (named >= 0) ::unlink(name.c_str());
    return named;
}

}  // namespace

TemporaryFile::TemporaryFile() : x_folder(temporary_folder()) {
    const int descriptor = open_unnamed(x_folder);
    if (descriptor < 0) fail(errno);
    x_file.reset(::fdopen(descriptor, "w+b"));
    if (x_file != nullptr) return;
    const int error = errno;
    ::close(descriptor);
    fail(error);
}

void TemporaryFile::fail(int error) const {
    throw TemporaryFileError(error, std::generic_category(),
                             "a temporary file in " + x_folder + " (TMPDIR names the folder)");
}

void TemporaryFile::write(const void* bytes, std::size_t size_bytes) {
    if (size_bytes == 0) return;
    if (std::fwrite(bytes, 1, size_bytes, x_file.get()) != size_bytes) fail(errno);
}

void TemporaryFile::allocate(std::size_t size_bytes) {
    const int error =
        ::posix_fallocate(::fileno(x_file.get()), 0, static_cast<::off_t>(size_bytes));
    if (error != 0) fail(error);
}

std::shared_ptr<void> TemporaryFile::map(std::size_t size_bytes, Access access) {
    if (std::fflush(x_file.get()) != 0) fail(errno);
    const int protection = access == Access::kRead ? PROT_READ : PROT_READ | PROT_WRITE;
    void* const memory =
        ::mmap(nullptr, size_bytes, protection, MAP_SHARED, ::fileno(x_file.get()), 0);
    if (memory == MAP_FAILED) fail(errno);
    // What lies around a page belongs to others, and would take the memory of what is in use.
    (void)::madvise(memory, size_bytes, MADV_RANDOM);
    return {memory, [size_bytes](void* mapped) { ::munmap(mapped, size_bytes); }};
}

}  // namespace kumi::inline base
