// Posting, probing and cancelling receives: what happens in the receiver's calls.

#include <algorithm>

#include "transport/transport.hpp"

namespace kumi {

namespace {

/// Of this process: what comes for one that has ended must not be taken for another's.
constinit std::uint32_t transports_so_far = 0;

}  // namespace

Transport::Transport(Wire& wire, CompletionSink& sink, std::uint32_t empty_polls)
    : x_wire(wire),
      x_sink(sink),
      x_receives(++transports_so_far),
      x_origins(transports_so_far),
      x_empty_polls_to_sleep(empty_polls) {}

Transport::~Transport() {
    for (const bool tagged : {true, false}) {
        posted(tagged).clear(x_memory);
        unexpected(tagged).for_each([this](const matching::UnexpectedEntry& entry) {
            x_wire.release(x_messages[entry.id].arrival.handle);
            return true;
        });
        unexpected(tagged).clear(x_memory);
    }
    for (const auto& [context, message] : x_claimed) x_wire.release(message.arrival.handle);
}

void Transport::charge(const matching::Search& search) {
    x_wire.spend(x_wire.parameters().matching.of(search));
}

matching::Search Transport::find_unexpected(const matching::Pattern& pattern, bool tagged,
                                            bool takes_out) {
    matching::UnexpectedQueue& queue = unexpected(tagged);
    const matching::Search search = takes_out ? queue.take(x_memory, pattern, counting())
                                              : queue.find(x_memory, pattern, counting());
    charge(search);
    return search;
}

void Transport::receive(const matching::Pattern& pattern, const Buffer& buffer, void* context,
                        const ReceiveOptions& options) {
    x_empty_polls = 0;
    // Whether one message alone can be meant, which travels with its envelope.
    const bool is_simple = options.tagged && !options.multi &&
                           pattern.source != matching::kAnySource &&
                           buffer.size_bytes() <= x_wire.parameters().eager_limit_bytes;
    // Synchronous messages are answered in the order in which they are received, and some of them
    // may have arrived that the rank would have taken by now, had it not been ahead.
    if (!is_simple || x_synchronous > 0) x_wire.come_into_time();
    take_seen();
    const std::uint32_t number = x_receives.make();
    Receive& receive = x_receives[number];
    receive.buffer = buffer;
    receive.context = context;
    receive.tagged = options.tagged;
    receive.call = x_wire.call_number();
    receive.wants_completion = options.wants_completion;
    receive.multi = options.multi;
    receive.multi_minimum = std::max<std::uint64_t>(options.multi_minimum, 1);
    // What is there already comes first, of which a multi-receive buffer may take several.
    while (const std::optional<Unexpected> message = take_unexpected(pattern, number)) {
        match(number, message->arrival, message->head);
        if (!options.multi || !receive.multi) return;
    }
    receive.is_posted = true;
    posted(options.tagged).append(x_memory, matching::PostedEntry::of(pattern, number));
    if (is_simple) x_wire.note_posted(pattern.source, pattern.tag, pattern.ignore);
}

std::optional<Unexpected> Transport::take_unexpected(const matching::Pattern& pattern,
                                                     std::uint32_t receive) {
    const bool tagged = x_receives[receive].tagged;
    bool has_room = true;
    const matching::Search search = unexpected(tagged).take(
        x_memory, pattern, counting(), [](const matching::UnexpectedEntry&) { return true; },
        [&](const matching::UnexpectedEntry& entry) {
            has_room = this->has_room(receive, x_messages[entry.id].head.size_bytes);
            return !has_room;
        });
    charge(search);
    if (!search.found || !has_room) return std::nullopt;
    return release(search.id);
}

Unexpected Transport::release(std::uint32_t message) {
    const Unexpected released = x_messages[message];
    if (released.arrival.is_synchronous) --x_synchronous;
    x_messages.give_back(message);
    return released;
}

void Transport::peek(const matching::Pattern& pattern, void* context, bool tagged, bool claim) {
    count_anew_in_new_call();
    x_wire.come_into_time();
    progress();
    matching::Search search = find_unexpected(pattern, tagged, claim);
    if (!search.found && note_empty_peek(pattern)) {
        wait_for_any();
        progress();
        search = find_unexpected(pattern, tagged, claim);
    }
    Completion completion;
    completion.context = context;
    completion.operation = Completion::Operation::kReceive;
    completion.tagged = tagged;
    if (!search.found) {
        completion.status = Completion::Status::kNoMessage;
        return x_sink.complete(completion);
    }
    x_empty_peeks = 0;
    const Unexpected& message = x_messages[search.id];
    completion.size_bytes = message.head.size_bytes;
    completion.tag = message.head.tag;
    completion.data = message.head.data;
    completion.has_data = message.head.has_data;
    completion.source = message.arrival.source;
    if (claim) x_claimed[context] = release(search.id);
    x_sink.complete(completion);
}

bool Transport::receive_claimed(const Buffer& buffer, void* context, bool discard) {
    const auto place = x_claimed.find(context);
    if (place == x_claimed.end()) return false;
    const Unexpected message = place->second;
    x_claimed.erase(place);
    const std::uint32_t number = x_receives.make();
    Receive& receive = x_receives[number];
    receive.tagged = message.head.tagged;
    receive.context = context;
    receive.discards = discard;
    if (!discard) receive.buffer = buffer;
    match(number, message.arrival, message.head);
    return true;
}

bool Transport::cancel(void* context) {
    x_wire.come_into_time();
    take_seen();
    for (const bool tagged : {true, false}) {
        std::optional<std::uint32_t> found;
        posted(tagged).for_each([&](const matching::PostedEntry& entry) {
            if (x_receives[entry.id].context == context) found = entry.id;
            return !found;
        });
        if (!found) continue;
        posted(tagged).remove(x_memory, *found);
        Receive& receive = x_receives[*found];
        receive.is_posted = false;
        Completion completion;
        completion.context = context;
        completion.operation = Completion::Operation::kReceive;
        completion.status = Completion::Status::kCancelled;
        completion.tagged = tagged;
        receive.multi = false;  // messages on their way into it: it goes with the last of them
        if (receive.multi_slices == 0) x_receives.give_back(*found);
        x_sink.complete(completion);
        return true;
    }
    return false;
}

}  // namespace kumi
