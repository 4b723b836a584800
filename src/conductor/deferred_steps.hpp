#pragma once

#include <cstdint>

#include "base/arena.hpp"
#include "base/time.hpp"
#include "conductor/message.hpp"

namespace kumi {

/// Something that a rank has done already, of which the time is not known yet.
struct DeferredStep {
    enum class Kind : std::uint8_t {
        kEnter,    ///< An MPI call began.
        kLeave,    ///< It ended.
        kSend,     ///< `message` was sent.
        kPost,     ///< A receive was posted, for `tag` but for the bits in `ignore`.
        kReceive,  ///< The rank waited for `message`.
        kWait,     ///< The same; it is waiting, as far as its clock is concerned.
    };
    Kind kind = Kind::kEnter;
    std::uint32_t message = kNoMessage;  ///< Of kPost: the rank that is to send it.
    std::uint64_t tag = 0;
    std::uint64_t ignore = 0;
    Duration before{};  ///< What the rank spent since its step before this one.
};

/// What one rank has done beyond its clock, in its order. Plain data in the segment.
class DeferredSteps {
   public:
    static constexpr std::uint32_t kRoom = 512;
    /// Between two steps.
    static constexpr Duration kMostSpent{kEndOfTime.ps / (kRoom + 1)};

    explicit DeferredSteps(Arena& arena)
        : x_steps(static_cast<DeferredStep*>(arena.allocate(sizeof(DeferredStep) * kRoom))) {}
    DeferredSteps() = default;

    bool empty() const { return x_count == 0; }
    bool full() const { return x_count == kRoom; }
    DeferredStep& first() { return x_steps[x_begin]; }
    /// Where the one stands, or will stand, that comes `ahead` after the first.
    const DeferredStep& upcoming(std::uint32_t ahead) const { return x_steps[place(ahead)]; }
    std::uint32_t size() const { return x_count; }

    /// Not when full.
    void add(const DeferredStep& step) {
        if (step.kind == DeferredStep::Kind::kLeave && ends_empty_call()) {
            --x_count;
            return;
        }
        DeferredStep& place_of_step = x_steps[place(x_count)];
        place_of_step = step;
        place_of_step.before = x_spent;
        x_spent = {};
        ++x_count;
    }
    void remove_first() {
        --x_count;
        // Begins anew where it is in the caches.
        x_begin = x_count == 0 ? 0 : static_cast<std::uint16_t>(place(1));
    }

    /// After the first step, the rank spends so much less than was said.
    void forgo(Duration span) { (x_count > 1 ? x_steps[place(1)].before : x_spent) -= span; }
    /// Whether all steps together stay below `kEndOfTime` if so much is spent.
    bool has_time_for(Duration span) const { return x_spent + span <= kMostSpent; }
    /// Time that passes for the rank after its last step.
    void spend(Duration span) { x_spent += span; }
    Duration take_spent() {
        const Duration spent = x_spent;
        x_spent = {};
        return spent;
    }

   private:
    std::uint32_t place(std::uint32_t number) const { return (x_begin + number) % kRoom; }
    /// The last call began when the one before it ended, and nothing has happened in it.
    bool ends_empty_call() const {
        if (x_count < 2 || x_spent.ps != 0) return false;
        const DeferredStep& last = x_steps[place(x_count - 1)];
        const DeferredStep& before = x_steps[place(x_count - 2)];
        return last.kind == DeferredStep::Kind::kEnter && last.before.ps == 0 &&
               before.kind == DeferredStep::Kind::kLeave;
    }

    DeferredStep* x_steps = nullptr;
    Duration x_spent{};
    std::uint16_t x_begin = 0;
    std::uint16_t x_count = 0;
};

}  // namespace kumi
