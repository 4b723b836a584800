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

void expect_pages(const LargePages& pages, std::uintptr_t begin, std::uintptr_t code_end,
                  std::uintptr_t end) {
    EXPECT_EQ(pages.begin, begin);
    EXPECT_EQ(pages.code_end, code_end);
    EXPECT_EQ(pages.end, end);
}

void expect_none(const LargePages& pages) { EXPECT_LE(pages.end, pages.begin); }

TEST(LargeCodePages, WholePagesOfALargeLibrary) {
    const std::vector<Part> parts = {{kConstants, 0, kMega},
                                     {kCode, kMega, 7 * kMega},
                                     {kVariables, 7 * kMega + 4096, 8 * kMega}};
    expect_pages(pages_of(64 * kMega, parts), 64 * kMega, 70 * kMega, 70 * kMega);
    expect_pages(pages_of(65 * kMega, parts), 66 * kMega, 72 * kMega, 72 * kMega);
}

TEST(LargeCodePages, TheRestOfTheLastPageIfItIsFree) {
    const std::vector<Part> parts = {{kCode, 0, 300 * 1024},
                                     {kVariables, 4 * kMega - 9000, 4 * kMega}};
    expect_pages(pages_of(64 * kMega, parts), 64 * kMega, 64 * kMega + 300 * 1024, 66 * kMega);
}

TEST(LargeCodePages, NoneWhereSomethingElseCanLie) {
    const std::vector<Part> small = {{kCode, 0, 300 * 1024}};
    expect_none(pages_of(64 * kMega, small));
    const std::vector<Part> shared = {{kCode, 0, 300 * 1024}, {kVariables, 304 * 1024, kMega}};
    expect_none(pages_of(64 * kMega, shared));
    // Not aligned: the page that the code ends in begins before the library does.
    const std::vector<Part> apart = {{kCode, 0, 300 * 1024}, {kVariables, 2 * kMega, 3 * kMega}};
    expect_none(pages_of(65 * kMega, apart));
}

TEST(LargeCodePages, AGapEndsTheCode) {
    const std::vector<Part> parts = {{kConstants, 0, 3 * kMega},
                                     {kCode, 5 * kMega, 9 * kMega},
                                     {kVariables, 9 * kMega, 10 * kMega}};
    expect_pages(pages_of(64 * kMega, parts), 64 * kMega, 67 * kMega, 68 * kMega);
}

}  // namespace
}  // namespace kumi::mpi::detail
