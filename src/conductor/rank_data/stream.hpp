#pragma once

#include <cstdint>

#include "base/memory/arena.hpp"
#include "base/time/time.hpp"

namespace kumi::conductor {

/// Something that a rank's process asks of its rank.
struct StreamOperation {
    enum class Kind : std::uint8_t {
        kEnter,            ///< An MPI call begins.
        kLeave,            ///< It ends.
        kNameMembers,      ///< It names a communicator with `number` members, in a profiled run.
        kSumCall,          ///< It is about to end, in a profiled run: `number`, by number_of.
        kSend,             ///< Message `number` is sent.
        kPost,             ///< Request `number`, a receive, is posted.
        kWait,             ///< The rank waits for requests, of which `number` is the first.
        kWaiting,          ///< The same; it is waiting, as far as its clock is concerned.
        kHint,             ///< The program's hint to its service: `number`, by Hint::packed.
        kStart,            ///< The rank waits for a common start: RankSlot::start_member.
        kStarting,         ///< The same; it is waiting, as far as its clock is concerned.
        kStarted,          ///< The same; its clock is there.
        kBeginCollective,  ///< A call begins that may be scheduled: `number`, by number_of.
        kEndCollective,    ///< It ends.
    };
    Kind kind = Kind::kEnter;
    /// Of a wait: nothing but these requests ends it.
    bool is_exact = false;
    bool holds_internal = false;  ///< Of a wait: EndpointPort::Wait::holds_internal.
    std::uint32_t number = 0xFFFFFFFF;
    Duration before{};  ///< What the rank spends before that, after the operation before.
};
static_assert(sizeof(StreamOperation) == 16);

/// What one rank's process has asked for and what was not carried out yet, in its order. The
/// process adds at the end; what is at the front is carried out when the rank's clock is there.
/// Plain data in the segment.
class Stream {
   public:
    static constexpr std::uint32_t kRoom = 512;
    /// Between two operations.
    static constexpr Duration kMostSpent{kEndOfTime.ps / (kRoom + 1)};

    explicit Stream(Arena& arena)
        : x_operations(
              static_cast<StreamOperation*>(arena.allocate(sizeof(StreamOperation) * kRoom))) {}
    Stream() = default;

    bool empty() const { return x_count == 0; }
    bool full() const { return x_count == kRoom; }
    std::uint32_t size() const { return x_count; }
    StreamOperation& first() { return x_operations[x_begin]; }
    const StreamOperation& first() const { return x_operations[x_begin]; }
    /// The one that comes `ahead` after the first, or will stand there.
    const StreamOperation& upcoming(std::uint32_t ahead) const {
        return x_operations[place(ahead)];
    }

    /// Not when full.
    void add(const StreamOperation& operation) {
        if (operation.kind == StreamOperation::Kind::kLeave && ends_empty_call()) {
            --x_count;
            return;
        }
        StreamOperation& added = x_operations[place(x_count)];
        added = operation;
        added.before = x_spent;
        x_spent = {};
        ++x_count;
    }
    void remove_first() {
        --x_count;
        // Begins anew where it is in the caches.
        x_begin = x_count == 0 ? 0 : static_cast<std::uint16_t>(place(1));
    }

    /// Whether all operations together stay below `kEndOfTime` if so much is spent.
    bool has_time_for(Duration span) const { return x_spent + span <= kMostSpent; }
    /// Time that passes for the rank after its last operation.
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
        const StreamOperation& last = x_operations[place(x_count - 1)];
        const StreamOperation& before = x_operations[place(x_count - 2)];
        return last.kind == StreamOperation::Kind::kEnter && last.before.ps == 0 &&
               before.kind == StreamOperation::Kind::kLeave;
    }

    StreamOperation* x_operations = nullptr;
    Duration x_spent{};
    std::uint16_t x_begin = 0;
    std::uint16_t x_count = 0;
};

}  // namespace kumi::conductor
