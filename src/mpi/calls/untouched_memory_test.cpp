#include "mpi/calls/untouched_memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace kumi::mpi {
namespace {

constexpr std::size_t kPages = 256;

/// Fresh memory, of which the first `touched` pages are filled.
class Memory {
   public:
    explicit Memory(std::size_t touched)
        : x_page(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {
        void* memory = ::mmap(nullptr, kPages * x_page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        x_begin = static_cast<std::byte*>(memory);
        std::fill_n(x_begin, touched * x_page, std::byte{7});
    }
    ~Memory() { ::munmap(x_begin, size_bytes()); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    std::byte* begin() const { return x_begin; }
    std::byte* end() const { return x_begin + size_bytes(); }
    std::size_t page() const { return x_page; }
    std::size_t size_bytes() const { return kPages * x_page; }
    detail::ZeroMemory all() const { return {begin(), end()}; }
    std::size_t resident_pages() const {
        std::vector<unsigned char> present(kPages);
        ::mincore(x_begin, size_bytes(), present.data());
        return static_cast<std::size_t>(
            std::count_if(present.begin(), present.end(), [](unsigned char p) { return p & 1; }));
    }

   private:
    std::size_t x_page;
    std::byte* x_begin;
};

TEST(UntouchedMemory, IsZeroAfterwardsAndNotThere) {
    const Memory memory(100);
    EXPECT_EQ(detail::clear(memory.all(), memory.begin() + 1, 0, memory.size_bytes() - 2),
              memory.begin() + 1);
    // The pages at both ends belong to others in part.
    EXPECT_LE(memory.resident_pages(), 2U);
    EXPECT_EQ(*memory.begin(), std::byte{7});
    EXPECT_TRUE(std::all_of(memory.begin() + 1, memory.end(),
                            [](std::byte value) { return value == std::byte{0}; }));
}

TEST(UntouchedMemory, OtherValuesAndOtherPlacesAreWrittenAsEver) {
    const Memory memory(0);
    detail::clear(memory.all(), memory.begin(), 3, memory.size_bytes());
    EXPECT_EQ(memory.begin()[memory.size_bytes() / 2], std::byte{3});
    // Only what lies in the middle counts as memory that starts as zero.
    const std::size_t few = 20 * memory.page();
    detail::clear({memory.begin() + few, memory.begin() + 2 * few}, memory.begin(), 0,
                  memory.size_bytes());
    EXPECT_EQ(memory.resident_pages(), kPages);
    EXPECT_TRUE(std::all_of(memory.begin(), memory.end(),
                            [](std::byte value) { return value == std::byte{0}; }));
}

}  // namespace
}  // namespace kumi::mpi
