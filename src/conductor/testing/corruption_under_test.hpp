#pragma once

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>

#include "conductor/delivery/arrivals.hpp"
#include "conductor/delivery/post.hpp"
#include "conductor/delivery/rank_endpoint.hpp"
#include "conductor/pairing/complete_requests.hpp"
#include "conductor/pairing/pairing.hpp"
#include "conductor/ranks/inbox.hpp"
#include "conductor/ranks/message_checks.hpp"
#include "conductor/ranks/scheduling.hpp"
#include "conductor/streams/carry_out.hpp"
#include "conductor/streams/next_event.hpp"
#include "conductor/testing/ranks_under_test.hpp"

namespace kumi::conductor {

/// A run whose ranks are played by the test itself.
class CorruptionTest : public testing::Test {
   protected:
    CorruptionTest() {
        for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank) {
            state.slot(rank).facts.pid.store(::getpid());
            state.slot(rank).status.store(RankStatus::kBlocked);
        }
        state.phase.store(Phase::kVirtual);
    }

    std::uint32_t fill_one(ArrivalAction action, std::uint32_t source, std::uint32_t target) {
        const std::uint32_t index = state.messages.acquire();
        Message& message = state.messages.at(index);
        message.source = source;
        message.target = target;
        message.size_bytes = 256;
        message.action = action;
        message.reply_bytes = action == ArrivalAction::kDeliver ? 0 : 64;
        message.payload = static_cast<std::byte*>(state.arena->allocate(256));
        message.payload_bytes = 256;
        message.remote_key = 1;
        message.sequence = state.slot(source).next_sequence++;
        message.sent = state.network->now();
        message.seal = message.compute_seal();
        return index;
    }
    std::uint32_t post_one(ArrivalAction action) {
        const std::uint32_t index = fill_one(action, 0, 1);
        post(state, index);
        return index;
    }

    /// From rank 0 to rank 1, which may know it before it arrives.
    std::uint32_t post_paired() {
        const std::uint32_t index = post_one(ArrivalAction::kDeliver);
        pair_message(state, index);
        return index;
    }
    /// A receive of rank 1's, which is certain of the oldest message that it accepts.
    std::uint32_t make_paired(const matching::Pattern& pattern) {
        const std::uint32_t number = state.requests.make(1, endpoint::RequestKind::kReceive);
        state.requests[number].pattern = pattern;
        pair_receive(state, 1, number);
        return number;
    }
    /// As the process of a rank that runs ahead sends.
    std::uint32_t send_later(std::uint32_t source, std::uint32_t target) {
        const std::uint32_t index = fill_one(ArrivalAction::kDeliver, source, target);
        pair_message(state, index);
        ++state.deferred;
        state.slot(source).stream.add({.kind = StreamOperation::Kind::kSend, .number = index});
        return index;
    }

    /// Of a byte of the message from `begin` on and before `end`.
    void flip_bit(std::uint32_t index, std::size_t begin, std::size_t end) {
        auto* bytes = reinterpret_cast<unsigned char*>(&state.messages.at(index));
        bytes[*rc::gen::inRange(begin, end)] ^=
            static_cast<unsigned char>(1U << *rc::gen::inRange(0, 8));
    }
    /// Flips bits of what the seal is of. Whether that has damaged the message: two flips of one
    /// bit cancel out.
    bool flip_bits(std::uint32_t index) {
        auto* bytes = reinterpret_cast<unsigned char*>(&state.messages.at(index));
        unsigned char before[sizeof(Message)];
        std::memcpy(before, bytes, sizeof before);
        const auto flips = *rc::gen::inRange(1, 9);
        for (int i = 0; i < flips; ++i)
            flip_bit(index, offsetof(Message, magic), offsetof(Message, seal));
        return std::memcmp(before, bytes, sizeof before) != 0;
    }

    void run_events() {
        while (state.network->next_event_time() != kNever && ranks.verdict() == VerdictKind::kNone)
            execute_next_event(state);
    }

    /// As a process that gives up the baton: an event, or the stream of a rank, or a rank that is
    /// synchronised, which takes all that is there and waits again. False if there is nothing to
    /// do.
    bool go_on() {
        const Instant bound =
            state.scheduling.run_queue.empty() ? kNever : state.scheduling.run_queue.top().clock;
        const Instant event = state.network->next_event_time();
        if (event == kNever && bound == kNever) return false;
        if (event < bound) {
            execute_next_event(state);
            return true;
        }
        const std::uint32_t rank = state.scheduling.run_queue.pop().rank;
        if (state.slot(rank).stream.empty())
            run_synchronised(rank);
        else
            carry_out(state, rank);
        return true;
    }
    void run_synchronised(std::uint32_t rank) {
        state.slot(rank).process.enter(ProcessState::kRuns);
        look_at_arrivals(state, rank);
        for (auto done = take_complete(state, rank); done != endpoint::kNone;
             done = take_complete(state, rank)) {
            state.requests[done].is_taken = true;
            retire(state, done);
        }
        begin_wait(state, rank);
    }
    void run_to_the_end() {
        int steps = 0;
        while (ranks.verdict() == VerdictKind::kNone && go_on()) RC_ASSERT(++steps < 1000);
    }

    RanksUnderTest ranks{3};
    ConductorState& state = const_cast<ConductorState&>(ranks.run->state());
};

}  // namespace kumi::conductor
