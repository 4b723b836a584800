#include "base/memory/arena.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/memory/large_pages.hpp"
#include "base/testing/arena_for_tests.hpp"
#include "base/testing/pool_model.hpp"

namespace kumi::inline base {
namespace {

TEST(Arena, BlocksAreAlignedAndDisjoint) {
    ArenaForTests arena(1 << 20);
    auto* first = static_cast<char*>(arena->allocate(1));
    auto* second = static_cast<char*>(arena->allocate(65));
    auto* third = static_cast<char*>(arena->allocate(0));
    for (const char* block : {first, second, third}) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 64, 0U);
    }
    EXPECT_GE(second, first + 64);
    EXPECT_GE(third, second + 65);
}

TEST(Arena, GivesAReleasedBlockAgain) {
    ArenaForTests arena(1 << 20);
    void* block = arena->allocate(1000);
    const std::size_t used = arena->used_bytes();
    arena->release(block, 1000);
    EXPECT_EQ(arena->allocate(1000), block);
    EXPECT_EQ(arena->used_bytes(), used);
}

TEST(Arena, WastesAtMostAQuarter) {
    ArenaForTests arena(std::size_t{1} << 26);
    for (std::size_t size_bytes = 256; size_bytes < 1'000'000; size_bytes += size_bytes / 7) {
        const std::size_t before = arena->used_bytes();
        arena->allocate(size_bytes);
        const std::size_t taken = arena->used_bytes() - before;
        EXPECT_GE(taken, size_bytes);
        EXPECT_LE(taken, size_bytes + size_bytes / 4 + 64) << size_bytes;
    }
}

TEST(Arena, MakesValueInitialisedArrays) {
    ArenaForTests arena(1 << 20);
    void* dirty = arena->allocate(400);
    std::memset(dirty, 0xFF, 400);
    arena->release(dirty, 400);
    const auto* numbers = arena->make_array<int>(100);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(numbers[i], 0);
    EXPECT_NE(arena->make_array<int>(0), nullptr);
}

TEST(Arena, EnlargesArraysAndGivesTheOldOnesBack) {
    ArenaForTests arena(1 << 20);
    constexpr std::uint32_t kValues[] = {3, 1, 4};
    std::uint32_t* const copy = arena->copy_of<std::uint32_t>(kValues);
    const std::uint32_t* const larger = arena->enlarge(copy, 2, 3, 1000);
    EXPECT_EQ(larger[0], 3U);
    EXPECT_EQ(larger[1], 1U);
    EXPECT_EQ(arena->allocate(sizeof kValues), copy);
    EXPECT_NE(arena->enlarge<std::uint32_t>(nullptr, 0, 0, 10), nullptr);
}

TEST(Arena, GivesZerosAlsoWhereSomethingWas) {
    ArenaForTests arena;
    for (int repetition = 0; repetition < 2; ++repetition) {
        auto* block = static_cast<unsigned char*>(arena->allocate_zeros(1000));
        EXPECT_EQ(std::count(block, block + 1000, 0), 1000);
        std::memset(block, 0xAB, 1000);
        arena->release(block, 1000);
    }
}

TEST(ArenaDeathTest, EndsTheProcessRatherThanGiveWhatItHasNot) {
    ArenaForTests arena(1 << 16);
    EXPECT_DEATH(arena->allocate(1 << 20), "memory is full");
    EXPECT_DEATH(arena->allocate(SIZE_MAX), "cannot be meant");
    EXPECT_DEATH(arena->allocate(SIZE_MAX - 64), "cannot be meant");
    EXPECT_DEATH(arena->allocate(std::size_t{1} << 50), "too large");
    EXPECT_DEATH(arena->make_array<std::uint64_t>(SIZE_MAX / 4), "cannot be meant");
}

/// Memory that other processes could share and that begins where a large page may.
void* map_shared(std::size_t size_bytes) {
    const int descriptor = memfd_create("arena_test", 0);
    KUMI_ASSERT(descriptor >= 0 && ftruncate(descriptor, static_cast<off_t>(size_bytes)) == 0,
                "no shared memory");
    void* memory = mmap(map_at_large_page(size_bytes), size_bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_FIXED, descriptor, 0);
    KUMI_ASSERT(memory != MAP_FAILED, "no shared memory");
    close(descriptor);
    return memory;
}

/// An arena in shared memory, which begins `before_bytes` after the beginning of a large page.
class SharedArena {
   public:
    explicit SharedArena(std::size_t before_bytes = 0) : x_memory(map_shared(kSize)) {
        x_arena = Arena::create(static_cast<std::byte*>(x_memory) + before_bytes,
                                kSize - before_bytes, true);
    }
    ~SharedArena() { munmap(x_memory, kSize); }
    SharedArena(const SharedArena&) = delete;
    SharedArena& operator=(const SharedArena&) = delete;

    Arena* operator->() { return x_arena; }

    /// Bytes of the arena that this process has in large pages, as the system says.
    std::size_t large_bytes() const {
        std::ostringstream begin;
        begin << std::hex << reinterpret_cast<std::uintptr_t>(x_memory) << '-';
        std::ifstream mappings("/proc/self/smaps");
        std::string line;
        while (std::getline(mappings, line) && !line.starts_with(begin.str())) {
        }
        const std::string key = "ShmemPmdMapped:";
        while (std::getline(mappings, line) && !line.starts_with(key)) {
        }
        return line.empty() ? 0 : std::stoul(line.substr(key.size())) * 1024;
    }

    static constexpr std::size_t kSize = std::size_t{1} << 25;

   private:
    void* x_memory;
    Arena* x_arena;
};

TEST(Arena, SharedMemoryGoesBackToTheSystem) {
    SharedArena arena;
    constexpr std::size_t kBlock = std::size_t{1} << 23;
    auto* block = static_cast<unsigned char*>(arena->allocate(kBlock));
    auto* neighbour = static_cast<unsigned char*>(arena->allocate(64));
    std::memset(block, 0xAB, kBlock);
    std::memset(neighbour, 0xCD, 64);
    arena->release(block, kBlock);
    // Pages that were given back read as zeros; the first line holds the list of free blocks.
    const auto begin = reinterpret_cast<std::uintptr_t>(block);
    const std::uintptr_t first = large_page_after(begin) - begin;
    const std::uintptr_t last = large_page_of(begin + kBlock) - begin;
    ASSERT_GT(last, first);
    EXPECT_EQ(std::count(block + first, block + last, 0), last - first);
    EXPECT_EQ(std::count(neighbour, neighbour + 64, 0xCD), 64);
    EXPECT_EQ(arena->allocate(kBlock), block);
}

/// Whether the system puts shared memory into large pages, asked without the code under test.
bool system_has_large_pages() {
    constexpr int kCollapse = 25;  // MADV_COLLAPSE
    void* memory = map_shared(kLargePage);
    static_cast<volatile unsigned char*>(memory)[0] = 1;
    const bool has_them = madvise(memory, kLargePage, kCollapse) == 0;
    munmap(memory, kLargePage);
    return has_them;
}

TEST(Arena, SharedMemoryIsInLargePages) {
    if (!system_has_large_pages()) GTEST_SKIP() << "this system does not make large pages";
    constexpr std::size_t kBefore = 4096;
    SharedArena arena(kBefore);
    arena->allocate(64);
    EXPECT_EQ(arena.large_bytes(), kLargePage);
    // Up to the end of the first large page, and one line into the second.
    while (arena->used_bytes() + kBefore <= kLargePage) arena->allocate(64);
    EXPECT_EQ(arena.large_bytes(), 2 * kLargePage);
    arena->allocate(3 * kLargePage);
    EXPECT_EQ(arena.large_bytes(), 5 * kLargePage);
}

TEST(Arena, SharedZerosTakeNoMemoryBeforeTheyAreTouched) {
    if (!system_has_large_pages()) GTEST_SKIP() << "this system does not make large pages";
    SharedArena arena;
    arena->allocate(64);
    arena->allocate_zeros(6 * kLargePage);
    EXPECT_EQ(arena.large_bytes(), kLargePage);
    // What comes behind them is in large pages again, also what is begun by the last zeros.
    arena->allocate(64);
    EXPECT_EQ(arena.large_bytes(), 2 * kLargePage);
    // So few are not worth it.
    arena->allocate_zeros(kLargePage / 2);
    arena->allocate_zeros(kLargePage / 2);
    EXPECT_EQ(arena.large_bytes(), 3 * kLargePage);
}

/// Random allocations and releases; every live block is filled with its own number, so that two
/// blocks that overlap spoil each other.
RC_GTEST_PROP(Arena, LiveBlocksNeverOverlap, ()) {
    ArenaForTests arena(std::size_t{1} << 24);
    struct Block {
        unsigned char* begin;
        std::size_t size_bytes;
        unsigned char mark;
    };
    std::vector<Block> live;
    const auto steps = *rc::gen::container<std::vector<std::pair<bool, std::uint16_t>>>(
        rc::gen::arbitrary<std::pair<bool, std::uint16_t>>());
    unsigned char mark = 0;
    for (const auto& [is_release, number] : steps) {
        if (is_release && !live.empty()) {
            std::swap(live[number % live.size()], live.back());
            arena->release(live.back().begin, live.back().size_bytes);
            live.pop_back();
        } else {
            const std::size_t size_bytes = number % 5000;
            auto* begin = static_cast<unsigned char*>(arena->allocate(size_bytes));
            std::memset(begin, ++mark, size_bytes);
            live.push_back({begin, size_bytes, mark});
        }
        for (const Block& block : live) {
            for (std::size_t i = 0; i < block.size_bytes; ++i) {
                RC_ASSERT(block.begin[i] == block.mark);
            }
        }
    }
}

RC_GTEST_PROP(Pool, BehavesLikeASetOfNumbers, ()) {
    ArenaForTests arena(std::size_t{1} << 24);
    Pool<std::uint64_t> pool(&*arena);
    expect_set_of_numbers(
        pool, [](std::uint64_t one) { return one == 0; },
        [](std::uint64_t& one, std::uint64_t value) { one = value; },
        [](std::uint64_t one, std::uint64_t value) { return one == value; });
}

TEST(Pool, GrowsOverManyChunksAndUsesTheLastReleasedFirst) {
    ArenaForTests arena(std::size_t{1} << 24);
    Pool<std::uint64_t> pool(&*arena);
    std::set<std::uint32_t> seen;
    for (std::uint64_t i = 0; i < 5000; ++i) {
        const std::uint32_t index = pool.acquire();
        EXPECT_EQ(index, i);
        EXPECT_TRUE(seen.insert(index).second);
        pool.at(index) = i;
    }
    for (const std::uint32_t index : seen) EXPECT_EQ(pool.at(index), index);
    pool.release(7);
    pool.release(4242);
    EXPECT_EQ(pool.acquire(), 4242U);
    EXPECT_EQ(pool.acquire(), 7U);
    EXPECT_EQ(pool.acquire(), 5000U);
}

}  // namespace
}  // namespace kumi::inline base
