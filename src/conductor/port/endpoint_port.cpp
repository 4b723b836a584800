#include "conductor/port/endpoint_port.hpp"

#include <algorithm>
#include <ranges>

#include "conductor/baton/baton.hpp"
#include "conductor/delivery/arrivals.hpp"
#include "conductor/delivery/post.hpp"
#include "conductor/delivery/rank_endpoint.hpp"
#include "conductor/delivery/rank_interface.hpp"
#include "conductor/delivery/services.hpp"
#include "conductor/pairing/complete_requests.hpp"
#include "conductor/pairing/pairing.hpp"
#include "conductor/pairing/running_ahead.hpp"
#include "conductor/port/rank_port.hpp"
#include "conductor/ranks/message_checks.hpp"
#include "conductor/ranks/rank_states.hpp"
#include "conductor/ranks/scheduling.hpp"
#include "conductor/streams/carry_out.hpp"
#include "conductor/system/futex.hpp"

namespace kumi::conductor {
namespace {

/// How long a rank sleeps in real time before it looks again by itself.
constexpr std::int64_t kRealTimeNap_ns = 2'000'000;

}  // namespace

std::uint32_t EndpointPort::prepare(std::uint32_t target, MessageKind kind,
                                    std::uint64_t payload_bytes) {
    KUMI_ASSERT(target < rank_count(), "a message to a rank that is not there");
    const Exclusive exclusive(*x_state);
    const std::uint32_t index = x_state->messages.acquire();
    Message& message = x_state->messages.at(index);
    message.source = x_rank;
    message.target = target;
    message.kind = kind;
    if (payload_bytes > 0) {
        message.payload = static_cast<std::byte*>(x_state->arena->allocate(payload_bytes));
        message.payload_bytes = payload_bytes;
    }
    return index;
}

void EndpointPort::send(std::uint32_t index, bool is_request) {
    const Exclusive exclusive(*x_state);
    Message& message = x_state->messages.at(index);
    message.is_synchronous = x_slot->call_class == CallClass::kSynchronous ? 1 : 0;
    // Before it is paired: a process that is certain of it may read it while this one, whose stream
    // is full, is synchronised.
    message.seal = message.compute_seal();
    if (in_virtual_time()) {
        if (message.kind == MessageKind::kInternal) keep_all_in_time(*x_state);
        pair_message(*x_state, index);
        if (put_off({.kind = StreamOperation::Kind::kSend, .number = index})) {
            ++x_state->deferred;
            return;
        }
    }
    send_now(*x_state, index, is_request, /*is_sealed=*/true);
}

std::uint32_t EndpointPort::make_request(endpoint::RequestKind kind) {
    const Exclusive exclusive(*x_state);
    const std::uint32_t number = x_state->requests.make(x_rank, kind);
    request(number).call = x_slot->call_count;
    request(number).site = x_slot->site;
    return number;
}

void EndpointPort::begin(std::uint32_t number) {
    request(number).enter(endpoint::RequestState::kUnderWay);
    ++x_slot->endpoint.under_way;
}

void EndpointPort::post(std::uint32_t number) {
    endpoint::Request& receive = request(number);
    receive.order = x_slot->receives++;
    const bool is_plain = receive.tagged && !receive.is_multi;
    if (!is_plain) synchronise();
    if (in_virtual_time()) {
        if (receive.tagged) pair_receive(*x_state, x_rank, number);
        if (put_off({.kind = StreamOperation::Kind::kPost, .number = number})) return;
        await_turn();
    }
    const Exclusive exclusive(*x_state);
    post_receive_now(*x_state, x_rank, number);
}

void EndpointPort::look() {
    if (!is_synchronised()) return;
    // Looking is free of the lock: an arrival that is missed now is found at the next look.
    if (!has_arrivals()) return;
    {
        const Exclusive exclusive(*x_state);
        look_at_arrivals(*x_state, x_rank);
    }
    end_if_condemned();
    serve();
}

void EndpointPort::look_synchronised() {
    synchronise();
    if (in_virtual_time()) catch_up();
    look();
}

void EndpointPort::look_repeatably() {
    if (!in_virtual_time()) return look();
    look_synchronised();
}

std::uint32_t EndpointPort::take_complete() {
    if (x_slot->endpoint.first_complete == endpoint::kNone) {
        x_slot->held.may_answer = false;
        return endpoint::kNone;
    }
    const Exclusive exclusive(*x_state);
    return kumi::conductor::take_complete(*x_state, x_rank);
}

const Message& EndpointPort::message_of(std::uint32_t number) {
    const endpoint::Request& taken = request(number);
    const std::uint32_t index = taken.message != endpoint::kNone ? taken.message : taken.paired;
    if (const char* fault = find_fault_for(*x_state, x_rank, index)) {
        x_state->condemn(VerdictKind::kCorrupt, x_rank, 0, fault);
        wait_for_the_end();
    }
    return message(index);
}

void EndpointPort::finish(std::uint32_t number) {
    const Exclusive exclusive(*x_state);
    endpoint::Request& taken = request(number);
    const bool is_receive = taken.kind == endpoint::RequestKind::kReceive && !taken.is_cancelled;
    if (is_receive && taken.state != endpoint::RequestState::kComplete) {
        Message& read = message(taken.message != endpoint::kNone ? taken.message : taken.paired);
        if (read.payload != nullptr) x_state->arena->release(read.payload, read.payload_bytes);
        read.is_read = 1;
    }
    x_slot->receives_finished += is_receive ? 1 : 0;
    taken.is_taken = true;
    retire(*x_state, number);
}

bool EndpointPort::end_part(std::uint32_t number) {
    const Exclusive exclusive(*x_state);
    const std::uint32_t whole = request(number).parent;
    endpoint::Request& parent = request(whole);
    if (--parent.parts > 0 || parent.is_multi) return false;
    if (!parent.is_cancelled) parent.enter(endpoint::RequestState::kComplete);
    parent.is_taken = true;
    retire(*x_state, whole);
    return true;
}

bool EndpointPort::has_caught_up() const {
    return kumi::conductor::has_caught_up(*x_state, x_rank);
}

bool EndpointPort::has_arrivals() const {
    if (!x_slot->inbox.empty()) return true;
    return x_slot->endpoint.by_interface && next_delivery(*x_state, x_rank) <= x_slot->clock;
}

void EndpointPort::await_turn() {
    if (x_slot->endpoint.by_interface && !has_caught_up()) let_others_catch_up();
}

matching::Search EndpointPort::look_for(const matching::Pattern& pattern, bool tagged,
                                        bool takes_out) {
    if (!x_slot->endpoint.by_interface)
        return RankEndpoint(*x_state, x_rank)
            .protocol()
            .look(pattern, tagged, takes_out, x_slot->site);
    // The rank waits for its interface's word.
    RankInterface interface(*x_state, x_rank, x_slot->clock);
    const matching::Search search =
        interface.protocol().look(pattern, tagged, takes_out, x_slot->site);
    x_slot->clock = interface.now();
    return search;
}

std::uint32_t EndpointPort::find_unexpected(const matching::Pattern& pattern, bool tagged,
                                            bool takes_out) {
    await_turn();
    const Exclusive exclusive(*x_state);
    const matching::Search search = look_for(pattern, tagged, takes_out);
    if (!search.found) return kNoMessage;
    if (takes_out && tagged && in_virtual_time()) unpair_message(*x_state, x_rank, search.id);
    return search.id;
}

void EndpointPort::receive_taken_out(std::uint32_t number, std::uint32_t message) {
    synchronise();
    await_turn();
    const Exclusive exclusive(*x_state);
    if (x_slot->endpoint.by_interface)
        RankInterface(*x_state, x_rank, x_slot->clock)
            .protocol()
            .receive_taken_out(number, message);
    else
        RankEndpoint(*x_state, x_rank).protocol().receive_taken_out(number, message);
}

bool EndpointPort::cancel(std::uint32_t number) {
    synchronise();
    await_turn();
    const Exclusive exclusive(*x_state);
    if (!RankEndpoint(*x_state, x_rank).protocol().cancel(number)) return false;
    if (in_virtual_time() && request(number).tagged) withdraw_receive(*x_state, x_rank, number);
    return true;
}

void EndpointPort::forget() {
    synchronise();
    keep_in_time();
    const Exclusive exclusive(*x_state);
    if (in_virtual_time()) dissolve_pairs(*x_state, x_rank);
    RankEndpoint(*x_state, x_rank).protocol().forget();
}

void EndpointPort::discard(std::uint32_t index) {
    const Exclusive exclusive(*x_state);
    kumi::conductor::discard(*x_state, index);
}

bool EndpointPort::wait(const Wait& wait) {
    if (!in_virtual_time()) {
        const std::uint32_t rung = x_slot->bell.load(std::memory_order_acquire);
        if (x_slot->inbox.empty()) futex_wait(x_slot->bell, rung, kRealTimeNap_ns);
        return false;
    }
    if (x_slot->stream.full()) synchronise();
    if (is_synchronised()) hold_internal(*x_state, x_rank, wait.holds_internal);
    const auto is_over = [this](std::uint32_t number) {
        return request(number).state == endpoint::RequestState::kComplete;
    };
    const auto has_all = [&] {
        return !wait.requests.empty() && std::ranges::all_of(wait.requests, is_over);
    };
    const bool finds_something = x_slot->endpoint.first_complete != endpoint::kNone;
    if (has_all() || (finds_something && (x_slot->held.may_answer || !wait.is_exact))) return false;
    if (is_synchronised() && has_arrivals() && has_caught_up()) {
        look();
        if (wait.requests.empty() || has_all()) return false;
    }
    StreamOperation operation{.kind = StreamOperation::Kind::kWait,
                              .is_exact = wait.is_exact,
                              .holds_internal = wait.holds_internal};
    std::uint32_t uncertain = 0;
    for (const std::uint32_t number : std::views::reverse(wait.requests)) {
        if (is_over(number)) continue;
        request(number).is_awaited = true;
        request(number).is_uncertain = wait.may_run_ahead && !is_certain(number, wait.requests);
        request(number).next_awaited = operation.number;
        if (request(number).is_uncertain) ++uncertain;
        operation.number = number;
    }
    x_slot->turn.awaits_others =
        wait.may_run_ahead && wait.has_others && !x_slot->pairing.needs_no_answer();
    if (x_slot->turn.awaits_others) ++uncertain;
    const bool was_synchronised = is_synchronised();
    x_slot->stream.add(operation);
    ++x_state->deferred;
    const bool is_all_certain = wait.may_run_ahead && uncertain == 0;
    if (is_all_certain && !was_synchronised) {
        end_if_condemned();
        return true;
    }
    x_slot->process.enter(ProcessState::kAwaitsRequests);
    x_slot->turn.awaits_one = wait.requests.size() == 1;
    x_slot->turn.uncertain = uncertain;
    if (was_synchronised) carry_out(*x_state, x_rank);
    end_if_condemned();
    // If the wait is over already, the rank stands in the run queue.
    if (is_all_certain && !is_synchronised()) {
        x_slot->process.enter(ProcessState::kRuns);
        return true;
    }
    pass_baton(*x_state, x_rank);
    if (is_synchronised() && x_slot->state == RankState::kWait)
        enter_state(*x_state, x_rank, RankState::kCommunication);
    serve();
    return !is_synchronised();
}

void EndpointPort::decide_errors(endpoint::Head& head, std::uint32_t target,
                                 const SentContent& content, bool is_aligned) {
    const PathNoise noise =
        BitErrors::noise_of(*x_state->network, x_slot->host, x_state->slot(target).host);
    x_state->bit_errors->decide(head, x_rank, target, content, noise, is_aligned);
}

void EndpointPort::corrupt(const Message& message, std::span<std::byte> payload) {
    x_state->bit_errors->corrupt(*x_state->network, x_state->slot(message.source).host,
                                 x_slot->host, message, payload);
}

}  // namespace kumi::conductor
