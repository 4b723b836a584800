#pragma once

#include <atomic>
#include <cstdint>

#include "conductor/pairing/running_ahead.hpp"
#include "conductor/segment/state.hpp"

namespace kumi::conductor {

/// One rank as its own process sees it in the segment: the clock that it moves on, the operations
/// that it defers, and the ranks that it lets catch up. The base of the process and of its ports:
/// copies are cheap and mean the same rank, as all that matters lies in the segment.
class RankAccess {
   public:
    std::uint32_t rank() const { return x_rank; }
    /// The platform's, on which the rank is.
    std::uint32_t host() const { return x_slot->host; }
    std::uint32_t rank_count() const { return x_state->rank_count(); }
    const RunConfiguration& configuration() const { return x_state->configuration; }
    /// Larger messages of this rank go by rendezvous: the run's limit, or more by its hint.
    std::uint64_t eager_limit_bytes() const { return x_slot->eager_limit_bytes; }
    bool in_virtual_time() const {
        return x_state->phase.load(std::memory_order_relaxed) == Phase::kVirtual &&
               x_slot->status.load(std::memory_order_relaxed) >= RankStatus::kRunnable;
    }
    CallClass call_class() const { return x_slot->call_class; }
    std::uint32_t call_count() const { return x_slot->call_count; }
    /// The program asked for what cannot be done here; ends the run with `text`. Returns only
    /// before the launcher has acted.
    void refuse(const char* text);

   protected:
    RankAccess(ConductorState* state, std::uint32_t rank)
        : x_state(state), x_slot(&state->slot(rank)), x_rank(rank) {}

    /// Whether the rank's clock is where its process is.
    bool is_synchronised() const { return x_slot->stream.empty(); }
    /// Returns when all that the process has asked for has been carried out: the rank's clock is
    /// where the process is. To be called before anything that depends on a time, or on what has
    /// arrived.
    void synchronise() {
        if (!is_synchronised()) wait_for_clock();
    }
    /// Spends time, of the program or inside the MPI library: no more than `kEndOfTime` at once.
    void spend(Duration span) {
        if (!in_virtual_time()) return;
        if (x_state->recorder.records_calls() && computes()) x_slot->recorded.computed += span;
        if (!is_synchronised() && !x_slot->stream.has_time_for(span)) synchronise();
        if (!is_synchronised()) return x_slot->stream.spend(span);
        x_slot->clock += span;
        if (x_slot->clock > configuration().time_limit) stop_at_limit();
    }
    /// Whether the process is ahead: then the operation is noted, and is carried out in its turn.
    bool put_off(const StreamOperation& operation) {
        if (x_slot->stream.full()) synchronise();
        if (is_synchronised()) return false;
        x_slot->stream.add(operation);
        return true;
    }
    /// The process does not run ahead of the rank's clock any more, once it is synchronised. From
    /// any thread.
    void keep_in_time() { kumi::conductor::keep_in_time(*x_slot); }
    /// Moves the rank's clock on, while it waits.
    void idle(Duration span);
    /// Whether the rank sees now what it would see after all others had caught up.
    bool sees_all() const;
    /// Lets the others catch up if the rank could otherwise miss what should be there.
    void catch_up();
    /// Returns when no rank has a smaller clock and all events before this rank's are executed.
    void let_others_catch_up();
    /// The rank has caught up: what has come by its clock is known.
    void note_traffic() { x_slot->turn.received = x_slot->totals.messages_received; }
    void wait_for_clock();
    /// The rank's clock is past the run's limit: nothing that it does from here on counts. Does not
    /// return: the run ends as soon as the others have come to the limit, too.
    void stop_at_limit() { let_others_catch_up(); }
    /// Does not return if the run is to end.
    void end_if_condemned();
    /// Whether what the process spends is the program's computing. When it sleeps, it is
    /// synchronised.
    bool computes() const {
        return x_slot->call_class == CallClass::kLocal && x_slot->state != RankState::kSleep;
    }
    /// Whether what the rank asks for is put on record.
    bool records_calls() const { return x_state->recorder.records_calls() && in_virtual_time(); }

    ConductorState* x_state;
    RankSlot* x_slot;
    std::uint32_t x_rank;
};

}  // namespace kumi::conductor
