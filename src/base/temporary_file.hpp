#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

namespace kumi::inline base {

/// What went wrong with a temporary file, and in which folder that is.
class TemporaryFileError : public std::system_error {
   public:
    using std::system_error::system_error;
};

/// A file without a name, in the folder that TMPDIR names, else in /var/tmp: it is gone with the
/// last mapping of it, however the process ends. All methods throw TemporaryFileError.
class TemporaryFile {
   public:
    TemporaryFile();

    /// Appends; buffered.
    void write(const void* bytes, std::size_t size_bytes);
    /// Makes the file `size_bytes` long, all of it on disk: what is then written to a mapping
    /// always has a place.
    void allocate(std::size_t size_bytes);

    enum class Access : std::uint8_t { kRead, kReadAndWrite };
    /// The first `size_bytes`, which must be there, as long as the pointer or a copy exists. The
    /// system writes them to the file, and takes their memory, whenever it needs some.
    std::shared_ptr<void> map(std::size_t size_bytes, Access access);

   private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    [[noreturn]] void fail(int error) const;

    std::string x_folder;
    std::unique_ptr<std::FILE, Close> x_file;
};

}  // namespace kumi::inline base
