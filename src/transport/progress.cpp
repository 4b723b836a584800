// Polling, and waiting in place of polling on.

#include <algorithm>

#include "transport/transport.hpp"

namespace kumi::transport {
namespace {

/// Empty polls in one MPI call before the rank sleeps, where MPI libraries do much that shows in no
/// message. A call that only asks does not poll as often, unless it really waits.
constexpr std::uint32_t kManyEmptyPolls = 64;
/// The same in a window call. In MPICH's tests of one-sided communication, and in random programs,
/// MPI libraries started something, or returned, after four at most, but for the steps of which
/// the shim knows.
constexpr std::uint32_t kEmptyPollsOfWindow = 8;
/// The least where a rank may have nonblocking collectives on their way: each poll may move one of
/// them by a step that sends nothing. In MPICH's test `nonblocking3`, with 4, 5 and 7 ranks,
/// 2 were too few, and with 5, 8 and more all results were the same.
constexpr std::uint32_t kEmptyPollsInTime = 8;

}  // namespace

void Transport::look(WaitStyle style) {
    const conductor::EndpointPort::Visit visit(x_port);
    switch (style) {
        case WaitStyle::kBlocking:  // does not look, see progress
        case WaitStyle::kProbe:     // looks when it peeks
            break;
        case WaitStyle::kPolling:
        case WaitStyle::kNap:
            x_port.look();
            break;
        case WaitStyle::kWindow:
            x_port.look_repeatably();
    }
    report_complete();
}

void Transport::count_anew_in_new_call() {
    if (x_call_number == x_port.call_count()) return;
    x_call_number = x_port.call_count();
    x_empty_polls = x_empty_peeks = 0;
}

void Transport::note_empty_poll(WaitStyle style) {
    const conductor::EndpointPort::Visit visit(x_port);
    count_anew_in_new_call();
    ++x_empty_polls;
    // Then it has no steps of its own to go, and looks through no requests in vain.
    if (style == WaitStyle::kBlocking && may_wait_at_once()) {
        if (x_empty_polls >= x_empty_polls_to_sleep.factor) wait(style);
        return;
    }
    const std::size_t enough = empty_polls_to_sleep(style);
    if (x_empty_polls < enough) return;
    const std::size_t vain = x_shim.vain_polls == nullptr ? 0 : x_shim.vain_polls();
    // Rounds through all requests of the call, so that the library goes on with the same request.
    const std::size_t rounds = (x_empty_polls_to_sleep.factor - 1) * enough;
    if (x_empty_polls < enough + vain + rounds * (vain + 1)) return;
    if (x_shim.takes_step != nullptr && x_shim.takes_step()) return;
    wait(style);
}

bool Transport::may_wait_at_once() const {
    // A rank that may run ahead has started no operation in the background and has no windows.
    return x_receives + x_sends + x_accesses > 0 && x_port.may_run_ahead() &&
           x_shim.waits_for_messages != nullptr && x_shim.waits_for_messages();
}

std::uint32_t Transport::empty_polls_to_sleep(WaitStyle style) {
    switch (style) {
        case WaitStyle::kPolling:
            return kManyEmptyPolls;
        case WaitStyle::kWindow:
            return x_port.call_class() == CallClass::kWindow ? kEmptyPollsOfWindow
                                                             : kManyEmptyPolls;
        case WaitStyle::kNap:
        case WaitStyle::kProbe:
            break;
        case WaitStyle::kBlocking:
            // If it waits for no message, the MPI library has steps of its own to go: Open MPI
            // takes one in each poll while it makes a communicator.
            if (x_receives + x_sends + x_accesses == 0) return kManyEmptyPolls;
            if (!x_port.may_run_ahead())
                return std::max(kEmptyPollsInTime, x_empty_polls_to_sleep.of_library);
            break;
    }
    return x_empty_polls_to_sleep.of_library;
}

void Transport::peek(const matching::Pattern& pattern, void* context, bool tagged, bool claim) {
    const conductor::EndpointPort::Visit visit(x_port);
    count_anew_in_new_call();
    x_port.look_synchronised();
    std::uint32_t index = x_port.find_unexpected(pattern, tagged, claim);
    if (index == conductor::kNoMessage && note_empty_peek(pattern)) {
        wait_for_any();
        x_port.look_synchronised();
        index = x_port.find_unexpected(pattern, tagged, claim);
    }
    Completion completion{
        .context = context, .operation = Completion::Operation::kReceive, .tagged = tagged};
    if (index == conductor::kNoMessage) {
        completion.status = Completion::Status::kNoMessage;
        return x_sink.complete(completion);
    }
    x_empty_peeks = 0;
    if (x_call_log.records_calls()) x_call_log.log({.kind = conductor::CallStep::kGuess});
    const conductor::Message& message = x_port.message(index);
    completion.size_bytes = message.head.size_bytes;
    completion.tag = message.head.tag;
    completion.data = message.head.data;
    completion.has_data = message.head.has_data;
    completion.source = message.source;
    if (claim) x_claimed[context] = index;
    x_sink.complete(completion);
}

bool Transport::note_empty_peek(const matching::Pattern& pattern) {
    if (pattern != x_empty_peek) x_empty_peeks = 0;
    x_empty_peek = pattern;
    return ++x_empty_peeks >= empty_peeks_to_sleep();
}

std::uint32_t Transport::empty_peeks_to_sleep() const {
    switch (wait_style()) {
        case WaitStyle::kPolling:
        case WaitStyle::kWindow:
        case WaitStyle::kNap:
            return kManyEmptyPolls;
        case WaitStyle::kProbe:
        case WaitStyle::kBlocking:
            break;
    }
    return kEmptyPeeks;
}

void Transport::describe_wait() {
    const Asked* oldest = x_outstanding.oldest(Asked::List::kReceives);
    x_port.describe_wait(x_receives, oldest == nullptr ? endpoint::kNone : oldest->request);
}

void Transport::wait_for_any(bool holds_internal) {
    x_empty_polls = x_empty_peeks = 0;
    describe_wait();
    (void)x_port.wait({.holds_internal = holds_internal});
    report_complete();
}

void Transport::await_payload(std::uint32_t number) {
    while (x_port.request(number).state != endpoint::RequestState::kComplete) {
        (void)x_port.wait({.requests = {&number, 1},
                           .is_exact = true,
                           .holds_internal = x_port.may_hold_internal()});
        x_port.look();
    }
}

void Transport::wait(WaitStyle style) {
    if (style != WaitStyle::kBlocking) return wait_for_any();
    if (!x_port.may_run_ahead()) {
        return wait_for_any(x_port.may_hold_internal() && find_awaited().is_exact);
    }
    x_empty_polls = x_empty_peeks = 0;
    describe_wait();
    conductor::EndpointPort::Wait wait = find_awaited();
    wait.holds_internal = wait.is_exact;
    if (x_port.wait(wait)) {
        for (const std::uint32_t number : x_awaited) {
            if (x_port.request(number).state != endpoint::RequestState::kComplete) report(number);
        }
    }
    report_complete();
}

conductor::EndpointPort::Wait Transport::find_awaited() {
    x_awaited.clear();
    if (x_receives + x_sends + x_accesses == 1 && x_accesses == 0) {
        const Asked* only =
            x_outstanding.oldest(x_receives == 1 ? Asked::List::kReceives : Asked::List::kSends);
        if (only != nullptr && only->wants_completion) x_awaited.push_back(only->request);
        return describe_awaited(/*is_exact=*/true);
    }
    find_needed_calls();
    for (const std::uint32_t call : x_needed_calls) add_awaited(call);
    if (!x_awaited.empty()) return describe_awaited(/*is_exact=*/true);
    x_needed_calls.clear();
    // A call that has posted one receive itself cannot end without its message.
    add_awaited(x_port.call_count());
    std::erase_if(x_awaited, [this](std::uint32_t number) {
        return x_port.request(number).kind != endpoint::RequestKind::kReceive;
    });
    if (x_awaited.size() != 1) x_awaited.clear();
    return describe_awaited(/*is_exact=*/false);
}

void Transport::find_needed_calls() {
    // What a call needs does not change while it lasts.
    if (x_shim.needed_messages == nullptr || x_asked_in_call == x_port.call_count()) return;
    x_asked_in_call = x_port.call_count();
    const std::size_t count = x_shim.needed_messages(x_calls.data(), x_calls.size());
    if (count > x_calls.size()) {
        x_calls.resize(count);
        x_shim.needed_messages(x_calls.data(), count);
    }
    x_needed_calls.assign(x_calls.begin(), x_calls.begin() + static_cast<std::ptrdiff_t>(count));
    if (!std::ranges::is_sorted(x_needed_calls)) std::ranges::sort(x_needed_calls);
    const auto repeated = std::ranges::unique(x_needed_calls);
    x_needed_calls.erase(repeated.begin(), repeated.end());
}

void Transport::add_awaited(std::uint32_t call) {
    x_outstanding.visit_call(call,
                             [this](const Asked& asked) { x_awaited.push_back(asked.request); });
}

conductor::EndpointPort::Wait Transport::describe_awaited(bool is_exact) {
    conductor::EndpointPort::Wait wait{.requests = x_awaited};
    if (x_awaited.empty()) return wait;
    wait.is_exact = is_exact;
    std::uint32_t receives = 0;
    for (const std::uint32_t number : x_awaited) {
        if (x_port.request(number).kind == endpoint::RequestKind::kReceive) ++receives;
    }
    wait.may_run_ahead = is_exact;
    // What these get while the rank waits, its process might want to answer.
    wait.has_others = receives != x_receives;
    return wait;
}

}  // namespace kumi::transport
