#include "mpi/code/large_code_pages.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kumi::mpi::detail {
namespace {

constexpr std::uintptr_t kMega = std::uintptr_t{1} << 20;
constexpr std::uint32_t kCode = PF_R | PF_X;
constexpr std::uint32_t kConstants = PF_R;
constexpr std::uint32_t kVariables = PF_R | PF_W;

struct Part {
    std::uint32_t flags = 0;
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
};

/// The large pages of a library that was loaded at `base`.
LargePages pages_of(std::uintptr_t base, const std::vector<Part>& parts) {
    std::vector<ElfW(Phdr)> headers;
    for (const Part& part : parts) {
        ElfW(Phdr) header{};
        header.p_type = PT_LOAD;
        header.p_flags = part.flags;
        header.p_vaddr = part.begin;
        header.p_memsz = part.end - part.begin;
        headers.push_back(header);
    }
    dl_phdr_info object{};
    object.dlpi_addr = base;
    object.dlpi_phdr = headers.data();
    object.dlpi_phnum = static_cast<ElfW(Half)>(headers.size());
    return large_pages_of(object);
}

void expect_pages(const LargePages& pages, std::uintptr_t begin, std::uintptr_t end) {
    EXPECT_EQ(pages.begin, begin);
    EXPECT_EQ(pages.code_end, end);
    EXPECT_EQ(pages.end, end);
}

TEST(LargeCodePages, WholePagesOfALargeLibrary) {
    const std::vector<Part> parts = {{kConstants, 0, kMega},
                                     {kCode, kMega, 7 * kMega},
                                     {kVariables, 7 * kMega + 4096, 8 * kMega}};
    expect_pages(pages_of(64 * kMega, parts), 64 * kMega, 70 * kMega);
    expect_pages(pages_of(65 * kMega, parts), 66 * kMega, 72 * kMega);
}

TEST(LargeCodePages, TheRestOfTheLastPageIfItIsFree) {
    const std::vector<Part> parts = {{kCode, 0, 300 * 1024},
                                     {kVariables, 4 * kMega - 9000, 4 * kMega}};
    const LargePages pages = pages_of(64 * kMega, parts);
    EXPECT_EQ(pages.begin, 64 * kMega);
    EXPECT_EQ(pages.code_end, 64 * kMega + 300 * 1024);
    EXPECT_EQ(pages.end, 66 * kMega);
}

TEST(LargeCodePages, NoneWhereSomethingElseCanLie) {
    const std::vector<Part> small = {{kCode, 0, 300 * 1024}};
    const LargePages alone = pages_of(64 * kMega, small);
    EXPECT_LE(alone.end, alone.begin);
    const std::vector<Part> shared = {{kCode, 0, 300 * 1024}, {kVariables, 304 * 1024, kMega}};
    const LargePages with_variables = pages_of(64 * kMega, shared);
    EXPECT_LE(with_variables.end, with_variables.begin);
    // Not aligned: the page that the code ends in begins before the library does.
    const std::vector<Part> apart = {{kCode, 0, 300 * 1024}, {kVariables, 2 * kMega, 3 * kMega}};
    const LargePages unaligned = pages_of(65 * kMega, apart);
    EXPECT_LE(unaligned.end, unaligned.begin);
}

TEST(LargeCodePages, AGapEndsTheCode) {
    const std::vector<Part> parts = {{kConstants, 0, 3 * kMega},
                                     {kCode, 5 * kMega, 9 * kMega},
                                     {kVariables, 9 * kMega, 10 * kMega}};
    const LargePages pages = pages_of(64 * kMega, parts);
    EXPECT_EQ(pages.begin, 64 * kMega);
    EXPECT_EQ(pages.code_end, 67 * kMega);
    EXPECT_EQ(pages.end, 68 * kMega);
}

}  // namespace
}  // namespace kumi::mpi::detail
