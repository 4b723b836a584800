#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace kumi::inline base {

/// A new folder for a test, removed at the end with all that is in it.
class TemporaryFolder {
   public:
    TemporaryFolder() {
        std::string name = std::filesystem::temp_directory_path() / "kumi-test-XXXXXX";
        if (::mkdtemp(name.data()) == nullptr)
            throw std::system_error(errno, std::generic_category(), name);
        x_path = name;
    }
    ~TemporaryFolder() { std::filesystem::remove_all(x_path); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return x_path; }
    std::filesystem::path operator/(const std::filesystem::path& name) const {
        return x_path / name;
    }

   private:
    std::filesystem::path x_path;
};

}  // namespace kumi::inline base
