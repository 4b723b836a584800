#pragma once

#include <cstdint>
#include <functional>

namespace kumi::schedule {

/// Lets a front end look at long work on schedules, and end it. While one exists, what its thread
/// does calls `look` from time to time with the number of operations so far; an exception of it
/// ends the work, which then leaves nothing behind. An inner one hides an outer one.
class WorkWatch {
   public:
    using Look = std::function<void(std::uint64_t operations)>;

    explicit WorkWatch(Look look);
    ~WorkWatch();
    WorkWatch(const WorkWatch&) = delete;
    WorkWatch& operator=(const WorkWatch&) = delete;

    /// To be called when this number of operations has been made, read or written.
    static void count(std::uint64_t operations);

   private:
    /// Some milliseconds of work.
    static constexpr std::uint64_t kStep = 1 << 16;

    Look x_look;
    WorkWatch* x_outer;
    std::uint64_t x_operations = 0;
    std::uint64_t x_next = kStep;
};

}  // namespace kumi::schedule
