#pragma once

#include <cstdint>

#include "base/time/time.hpp"
#include "endpoint/service/hint_key.hpp"

namespace kumi::schedule {

enum class OperationKind : std::uint8_t {
    kSend = 0,
    kReceive = 1,
    kCompute = 2,      ///< Takes its cpu for a time.
    kWaitUntil = 3,    ///< Ends at a point of virtual time; takes no cpu.
    kSynchronise = 4,  ///< Ends at the common start of all ranks; takes no cpu.
    kWaitAfter = 5,    ///< Ends a time after the rank's last common start; takes no cpu.
    kHint = 6,         ///< For the rank's service; takes neither time nor cpu.
};
inline constexpr std::uint8_t kOperationKinds = 7;

/// A receive's peer or tag that accepts any.
inline constexpr std::uint32_t kAnyPeer = 0xFFFFFFFF;
inline constexpr std::uint32_t kAnyTag = 0xFFFFFFFF;

/// How an operation of a recorded run differs from one that the platform's software carries out; an
/// operation without traits does not. Bits of Operation::traits.
namespace traits {
/// The message only takes its way through the network. Overheads, matching and the choice
/// between eager and rendezvous are in the schedule already.
inline constexpr std::uint8_t kBare = 1;
/// A bare send counts as a control message.
inline constexpr std::uint8_t kControl = 2;
/// A receive with kInterface takes the message of a bare send.
inline constexpr std::uint8_t kRequest = 4;
/// The host's network interface carries out the bare message, whatever the rank is doing.
inline constexpr std::uint8_t kInterface = 8;
/// The computing is the MPI library's, not the program's.
inline constexpr std::uint8_t kSoftware = 16;
/// The computing is a sleep of the program, which counts as waiting.
inline constexpr std::uint8_t kSleep = 32;
/// The payload of the send, bare or not, may arrive with errors, by Operation::content.
inline constexpr std::uint8_t kApproximate = 64;
}  // namespace traits

/// One node of a rank's graph. What does not belong to its kind is 0.
struct Operation {
    std::uint64_t amount = 0;  ///< Bytes of a message; picoseconds of a time; a hint's value.
    std::uint32_t peer = 0;    ///< Rank; kAnyPeer only for receives.
    std::uint32_t tag = 0;     ///< kAnyTag only for receives; of a hint its key.
    /// Where this operation's successors begin among those of its rank.
    std::uint32_t first_successor = 0;
    OperationKind kind = OperationKind::kCompute;
    std::uint8_t cpu = 0;     ///< Operations of one cpu follow each other.
    std::uint8_t nic = 0;     ///< Of an approximate send: the number of its content.
    std::uint8_t traits = 0;  ///< Of what is in the namespace of that name.

    bool operator==(const Operation&) const = default;

    static Operation send(std::uint64_t size_bytes, std::uint32_t peer, std::uint32_t tag = 0) {
        return {.amount = size_bytes, .peer = peer, .tag = tag, .kind = OperationKind::kSend};
    }
    static Operation receive(std::uint64_t size_bytes, std::uint32_t peer, std::uint32_t tag = 0) {
        return {.amount = size_bytes, .peer = peer, .tag = tag, .kind = OperationKind::kReceive};
    }
    /// `span` must not be negative.
    static Operation compute(Duration span) {
        return {.amount = static_cast<std::uint64_t>(span.ps), .kind = OperationKind::kCompute};
    }
    /// `when` must not be negative.
    static Operation wait_until(Instant when) {
        return {.amount = static_cast<std::uint64_t>(when.ps), .kind = OperationKind::kWaitUntil};
    }

    static Operation synchronise() { return {.kind = OperationKind::kSynchronise}; }
    /// `span` must not be negative.
    static Operation wait_after(Duration span) {
        return {.amount = static_cast<std::uint64_t>(span.ps), .kind = OperationKind::kWaitAfter};
    }

    /// `hint` must be possible.
    static Operation hint(endpoint::service::Hint hint) {
        return {.amount = hint.value,
                .tag = static_cast<std::uint32_t>(hint.key),
                .kind = OperationKind::kHint};
    }
    /// The rank enters a region that takes most of its program's time, or leaves it: IN_KERNEL.
    static Operation in_kernel(bool begins) {
        return hint({endpoint::service::HintKey::kInKernel, begins ? 1U : 0U});
    }
    /// The hint of an operation that is one.
    endpoint::service::Hint as_hint() const {
        return {static_cast<endpoint::service::HintKey>(tag), amount};
    }

    /// The number of an approximate send's content among ScheduleErrors::contents.
    std::uint8_t content() const { return nic; }
    /// Marks a send as approximate; `number` comes from ScheduleBuilder::content.
    void allow_errors(std::uint8_t number) {
        traits |= traits::kApproximate;
        nic = number;
    }

    bool is_message() const {
        return kind == OperationKind::kSend || kind == OperationKind::kReceive;
    }
    bool has(std::uint8_t trait) const { return (traits & trait) != 0; }
};
static_assert(sizeof(Operation) == 24);

/// An operation of the same rank that waits for the one it belongs to.
class Successor {
   public:
    Successor() = default;
    Successor(std::uint32_t operation, bool on_start)
        : x_bits(operation | (on_start ? kOnStart : 0)) {}

    std::uint32_t operation() const { return x_bits & ~kOnStart; }
    /// Whether it waits for the start (`irequires`) instead of the end (`requires`).
    bool on_start() const { return (x_bits & kOnStart) != 0; }

    auto operator<=>(const Successor&) const = default;

   private:
    static constexpr std::uint32_t kOnStart = 1U << 31;
    std::uint32_t x_bits = 0;
};

/// No rank has more operations: their numbers share a word with a flag.
inline constexpr std::uint32_t kMostOperationsOfRank = (1U << 31) - 1;
/// No schedule has more operations, or more successors, in all.
inline constexpr std::uint32_t kMostOperations = 0xFFFFFFFE;
/// No schedule has more ranks.
inline constexpr std::uint32_t kMostScheduleRanks = 1U << 24;
/// No message is larger and no time later, so that sums of a few do not overflow.
inline constexpr std::uint64_t kMostAmount = std::uint64_t{1} << 62;

}  // namespace kumi::schedule
