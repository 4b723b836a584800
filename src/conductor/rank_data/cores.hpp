#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace kumi {

/// The processor's cores on which processes of a run may run beside each other. Plain data in the
/// segment, changed by whoever has the baton.
class Cores {
   public:
    static constexpr std::uint32_t kMost = 64;
    /// In place of a core's number: its processes are not pinned to it.
    static constexpr int kAnywhere = -1;

    /// `numbers` are the system's, at least one, of which no more than kMost are used; the first is
    /// where all processes are now.
    void use(std::span<const int> numbers) {
        x_count = static_cast<std::uint32_t>(std::min<std::size_t>(numbers.size(), kMost));
        std::copy_n(numbers.begin(), x_count, x_numbers);
    }

    bool several() const { return x_count > 1; }
    bool has_free() const { return static_cast<std::uint32_t>(std::popcount(x_busy)) < x_count; }
    /// A free one becomes busy: `wish` if that is free. There must be one.
    std::uint32_t take(std::uint32_t wish) {
        const std::uint32_t core =
            is_busy(wish) ? static_cast<std::uint32_t>(std::countr_one(x_busy)) : wish;
        x_busy |= bit(core);
        return core;
    }
    void free(std::uint32_t core) { x_busy &= ~bit(core); }
    /// Lets a process that was on core `from` go on on `to`.
    void move(std::int32_t process, std::uint32_t from, std::uint32_t to) const;

   private:
    static std::uint64_t bit(std::uint32_t core) { return std::uint64_t{1} << core; }
    bool is_busy(std::uint32_t core) const { return (x_busy & bit(core)) != 0; }

    std::uint32_t x_count = 1;
    std::uint64_t x_busy = 0;  ///< A bit each.
    int x_numbers[kMost] = {kAnywhere};
};

}  // namespace kumi
