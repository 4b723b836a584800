#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/check.hpp"

namespace kumi::conductor {

/// The processor's cores on which processes of a run may run in parallel. Plain data in the
/// segment, changed by the process that has the baton.
class Cores {
   public:
    static constexpr std::uint32_t kMost = 64;
    /// In place of a core's number: its processes are not pinned to it.
    static constexpr int kAnywhere = -1;
    /// In place of a rank's number: no process watches the core.
    static constexpr std::uint32_t kNobody = 0xFFFFFFFF;

    /// `numbers` are the system's, at least one, of which no more than kMost are used; the first is
    /// where all processes are now.
    void use(std::span<const int> numbers) {
        x_count = static_cast<std::uint32_t>(std::min<std::size_t>(numbers.size(), kMost));
        x_most = x_count;
        std::copy_n(numbers.begin(), x_count, x_numbers);
        std::fill_n(x_watchers, kMost, kNobody);
    }

    bool several() const { return x_count > 1; }
    /// From now on, no more than one is to be busy; or as many as there are.
    void keep_to_one(bool to_one) { x_most = to_one ? 1 : x_count; }
    bool keeps_to_one() const { return x_most == 1; }
    bool has_free() const { return busy() < x_most; }
    /// More are busy than are to be.
    bool has_too_many() const { return busy() > x_most; }
    /// One is busy, and no other is to be. Asked in each call, so the bits are not counted.
    bool is_alone() const { return x_most == 1 && x_busy != 0 && (x_busy & (x_busy - 1)) == 0; }
    /// One that is free, of which there must be one.
    std::uint32_t first_free() const { return static_cast<std::uint32_t>(std::countr_one(x_busy)); }
    /// A free one becomes busy: `wish` if that is free. There must be one.
    std::uint32_t take(std::uint32_t wish) {
        const std::uint32_t core = is_busy(wish) ? first_free() : wish;
        KUMI_ASSERT(core < x_count, "no core is free");
        x_busy |= bit(core);
        x_watchers[core] = kNobody;
        return core;
    }
    void free(std::uint32_t core) {
        x_busy &= ~bit(core);
        x_watchers[core] = kNobody;
    }
    /// A free core has a *watcher*: a rank whose process looks now and then whether another may go
    /// on there.
    void watch(std::uint32_t core, std::uint32_t rank) { x_watchers[core] = rank; }
    /// The rank watches nothing any more; the last was `core`.
    void stop_watching(std::uint32_t core, std::uint32_t rank) {
        if (x_watchers[core] == rank) x_watchers[core] = kNobody;
    }
    bool is_watched_by(std::uint32_t core, std::uint32_t rank) const {
        return !is_busy(core) && x_watchers[core] == rank;
    }
    /// A free core that has no watcher; kMost if there is none.
    std::uint32_t find_unwatched() const {
        std::uint32_t core = 0;
        while (core < x_count && (is_busy(core) || x_watchers[core] != kNobody)) ++core;
        return core < x_count ? core : kMost;
    }
    /// Where the process of `rank` starts: they share the cores until virtual time begins.
    std::uint32_t first_of(std::uint32_t rank) const { return rank % x_count; }
    /// Lets a process that was on core `from` go on on `to`.
    void move(std::int32_t process, std::uint32_t from, std::uint32_t to) const;

   private:
    std::uint32_t busy() const { return static_cast<std::uint32_t>(std::popcount(x_busy)); }
    static std::uint64_t bit(std::uint32_t core) { return std::uint64_t{1} << core; }
    bool is_busy(std::uint32_t core) const { return (x_busy & bit(core)) != 0; }

    std::uint32_t x_count = 1;
    std::uint32_t x_most = 1;  ///< That may be busy now.
    std::uint64_t x_busy = 0;  ///< A bit each.
    int x_numbers[kMost] = {kAnywhere};
    std::uint32_t x_watchers[kMost] = {};  ///< Of free ones.
};

}  // namespace kumi::conductor
