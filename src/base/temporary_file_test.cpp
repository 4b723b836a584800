#include "base/temporary_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "base/testing/temporary_folder.hpp"

namespace kumi::inline base {
namespace {

class TemporaryFiles : public testing::Test {
   protected:
    TemporaryFiles() { ::setenv("TMPDIR", x_folder.path().c_str(), 1); }
    ~TemporaryFiles() override { ::unsetenv("TMPDIR"); }
    TemporaryFolder x_folder;
};

/// Files of this process may not be larger: writing more fails as on a full disk.
class FileSizeLimit {
   public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &x_before);
        const rlimit limit{bytes, x_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &x_before);
        ::signal(SIGXFSZ, SIG_DFL);
    }

   private:
    rlimit x_before{};
};

TEST_F(TemporaryFiles, AMappingSaysWhatWasWrittenAndOutlivesTheFile) {
    std::shared_ptr<void> mapped;
    {
        TemporaryFile file;
        file.write("0123", 4);
        file.write("", 0);
        file.write("45", 2);
        mapped = file.map(6, TemporaryFile::Access::kRead);
        EXPECT_TRUE(std::filesystem::is_empty(x_folder.path()));
    }
    EXPECT_EQ(std::string(static_cast<const char*>(mapped.get()), 6), "012345");
}

TEST_F(TemporaryFiles, AllocatedSpaceIsZeroAndCanBeWritten) {
    TemporaryFile file;
    file.allocate(10000);
    const auto mapped = file.map(10000, TemporaryFile::Access::kReadAndWrite);
    auto* const bytes = static_cast<char*>(mapped.get());
    EXPECT_EQ(bytes[9999], 0);
    bytes[9999] = 7;
    const auto again = file.map(10000, TemporaryFile::Access::kRead);
    EXPECT_EQ(static_cast<const char*>(again.get())[9999], 7);
}

TEST_F(TemporaryFiles, AFolderThatIsNotThereIsNamed) {
    ::setenv("TMPDIR", (x_folder / "none").c_str(), 1);
    try {
        const TemporaryFile file;
        FAIL() << "there is no such folder";
    } catch (const TemporaryFileError& error) {
        EXPECT_NE(std::string(error.what()).find((x_folder / "none").string()), std::string::npos);
        EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
    }
}

TEST_F(TemporaryFiles, WhatHasNoPlaceOnDiskIsAnError) {
    const FileSizeLimit limit(1 << 16);
    const std::string much(1 << 17, 'x');
    const auto write = [&] {
        TemporaryFile file;
        file.write(much.data(), much.size());
        file.map(much.size(), TemporaryFile::Access::kRead);
    };
    EXPECT_THROW(write(), TemporaryFileError);
    TemporaryFile file;
    EXPECT_THROW(file.allocate(much.size()), TemporaryFileError);
}

}  // namespace
}  // namespace kumi::inline base
