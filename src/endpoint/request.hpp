#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/check.hpp"
#include "base/memory/line_pool.hpp"
#include "base/time/time.hpp"
#include "matching/envelope.hpp"

namespace kumi::endpoint {

/// Stands for no request, and for no message.
inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

enum class RequestKind : std::uint8_t { kReceive, kSend, kRead, kWrite };

/// How far a request is, in virtual time.
enum class RequestState : std::uint8_t {
    kFree,      ///< None.
    kNew,       ///< Asked for by its process; the endpoint has not seen it yet.
    kPosted,    ///< A receive that waits for a message.
    kUnderWay,  ///< Its message or its data travel, or messages into it.
    kComplete,
};

/// Whether a request may go from one state into the other.
constexpr bool is_legal(RequestState from, RequestState to) {
    using enum RequestState;
    switch (from) {
        case kFree:
            return to == kNew;
        case kNew:
            return to == kPosted || to == kUnderWay || to == kComplete;
        case kPosted:
            return to == kUnderWay || to == kComplete;
        case kUnderWay:
            return to == kComplete;
        case kComplete:
            return to == kFree;
    }
    return false;
}

/// What a process has asked of its endpoint: a receive, or a send or remote access that is not
/// over. Plain data in a Pool; addresses in its own memory the owner keeps for itself.
///
/// The first cache line is what every message needs.
struct alignas(64) Request {
    std::uint64_t capacity_bytes = 0;  ///< Of the buffer.
    std::uint32_t message = kNone;     ///< That it has matched, or that has ended it.
    std::uint32_t paired = kNone;      ///< The message that it will match for certain.
    std::uint32_t next_complete = kNone;
    std::uint32_t next_awaited = kNone;
    std::uint32_t owner = 0;  ///< Rank.
    std::uint32_t call = 0;   ///< The owner's MPI call by which it was started.
    std::uint32_t generation = 0;
    std::uint32_t local = kNone;  ///< The owner's own number for it.
    std::uint32_t order = 0;      ///< Among the receives of its owner.
    RequestKind kind = RequestKind::kReceive;
    RequestState state = RequestState::kFree;
    bool tagged = true;
    bool wants_completion = true;
    bool discards = false;      ///< Wants the message gone, not its payload.
    bool is_multi = false;      ///< Takes message after message until too little is left.
    bool is_cancelled = false;  ///< Complete without a message.
    bool is_taken = false;      ///< Its process has its completion, and needs no more of it.
    bool is_awaited = false;    ///< One of those without which a wait cannot end.
    /// One of these by whose message the process is held up: it would run ahead if it were sure of
    /// it. Ends with the wait.
    bool is_uncertain = false;
    /// Gets a message that was taken out of the unexpected ones, and was never posted.
    bool is_claimed = false;
    /// Of a send by rendezvous: the payload is where it belongs, or will not be asked for.
    bool is_copied = false;
    /// Of a send by rendezvous: a copy of the payload, if the owner may change its own already.
    std::byte* stash = nullptr;

    matching::Pattern pattern{};  ///< Of a receive.
    // Of receives that take several messages, and of the parts that each of these fills.
    std::uint32_t parent = kNone;
    std::uint32_t parts = 0;          ///< Messages in it that are not complete yet.
    std::uint32_t minimum_bytes = 1;  ///< With less room than that it is given back.
    bool has_no_wildcards = false;    ///< Of a receive: as of Head.
    bool is_delivered = false;        ///< Its interface has done its part; see interface.hpp.
    std::uint16_t site = 0;           ///< Of a receive: as of SiteAccount.
    std::uint64_t used_bytes = 0;     ///< Of a part: those before it.
    Instant delivered_at{};

    /// Its payload or its answer is still awaited.
    bool is_under_way() const { return state == RequestState::kUnderWay && !is_delivered; }
    void enter(RequestState next) {
        KUMI_ASSERT(is_legal(state, next), "a request takes a step that it cannot");
        state = next;
    }
};
static_assert(sizeof(Request) == 128);

/// All requests of a run. Peers echo a request's handle: its number with its generation,
/// which distinguishes a late or repeated answer from an awaited one.
class Requests {
   public:
    explicit Requests(Arena* arena) : x_pool(arena) {}

    /// A fresh one in RequestState::kNew; returns its number.
    std::uint32_t make(std::uint32_t owner, RequestKind kind) {
        const std::uint32_t number = x_pool.acquire_raw();
        Request& request = x_pool.at(number);
        const std::uint32_t generation = request.generation + 1;
        request = {};
        request.generation = generation;
        request.owner = owner;
        request.kind = kind;
        request.enter(RequestState::kNew);
        return number;
    }
    void give_back(std::uint32_t number) {
        x_pool.at(number).enter(RequestState::kFree);
        x_pool.release(number);
    }

    Request& operator[](std::uint32_t number) { return x_pool.at(number); }
    const Request& operator[](std::uint32_t number) const { return x_pool.at(number); }

    std::uint64_t handle(std::uint32_t number) const {
        return std::uint64_t{x_pool.at(number).generation} << 32 | number;
    }
    /// The number of the request with this handle; kNone if it is over, or not `owner`'s.
    std::uint32_t find(std::uint64_t handle, std::uint32_t owner) const {
        const auto number = static_cast<std::uint32_t>(handle);
        const std::uint64_t generation = handle >> 32;
        if (generation == 0 || !x_pool.may_be(number)) return kNone;
        const Request& request = x_pool.at(number);
        const bool is_it = request.generation == generation && request.owner == owner &&
                           request.state != RequestState::kFree;
        return is_it ? number : kNone;
    }
    // For Deliveries.
    Instant delivered_at(std::uint32_t number) const { return x_pool.at(number).delivered_at; }
    std::uint32_t& next_delivery(std::uint32_t number) { return x_pool.at(number).next_complete; }
    std::uint32_t live() const { return x_pool.live(); }
    /// Calls `visit(number)` with each, over or not.
    template <class Visit>
    void for_each(Visit&& visit) const {
        x_pool.for_each(std::forward<Visit>(visit));
    }

   private:
    LinePool<Request> x_pool;
};

}  // namespace kumi::endpoint
