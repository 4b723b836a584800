// Posting, probing and cancelling receives: what happens in the receiver's calls.

#include <algorithm>

#include "transport/transport.hpp"

namespace kumi {

Transport::~Transport() {
    for (const bool tagged : {true, false}) {
        while (Receive* receive = posted(tagged).oldest()) {
            posted(tagged).remove(receive);
            if (receive->multi_slices == 0) x_receives.give_back(receive);
        }
        while (Unexpected* message = unexpected(tagged).oldest()) {
            unexpected(tagged).remove(message);
            x_wire.release(message->arrival.handle);
            x_messages.give_back(message);
        }
    }
    for (const auto& [context, message] : x_claimed) {
        x_wire.release(message->arrival.handle);
        x_messages.give_back(message);
    }
}

void Transport::charge_search(std::uint64_t searched) {
    x_wire.spend(x_wire.parameters().match_cost * static_cast<std::int64_t>(searched));
}

Unexpected* Transport::find_unexpected(const Pattern& pattern, bool tagged) {
    std::uint64_t searched = 0;
    Unexpected* found = unexpected(tagged).find(
        [&](const Unexpected& entry) { return pattern.accepts(entry.envelope()); }, searched);
    charge_search(searched);
    return found;
}

void Transport::receive(const Pattern& pattern, const Buffer& buffer, void* context,
                        const ReceiveOptions& options) {
    x_empty_polls = 0;
    // Whether one message alone can be meant, which travels with its envelope.
    const bool is_simple = options.tagged && !options.multi && pattern.source != kAnySource &&
                           buffer.size_bytes() <= x_wire.parameters().eager_limit_bytes;
    // Synchronous messages are answered in the order in which they are received, and some of them
    // may have arrived that the rank would have taken by now, had it not been ahead.
    if (!is_simple || x_synchronous > 0) x_wire.come_into_time();
    take_seen();
    auto* receive = x_receives.make();
    receive->pattern = pattern;
    receive->buffer = buffer;
    receive->context = context;
    receive->tagged = options.tagged;
    receive->call = x_wire.call_number();
    receive->wants_completion = options.wants_completion;
    receive->multi = options.multi;
    receive->multi_minimum = std::max<std::uint64_t>(options.multi_minimum, 1);
    // It stands in the queue while it takes what is there already: a multi-receive buffer may take
    // several messages, a plain one leaves the queue with its first.
    posted(options.tagged).append(receive);
    for (;;) {
        Unexpected* message = find_unexpected(pattern, options.tagged);
        if (message == nullptr) {
            if (is_simple) x_wire.note_posted(pattern.source, pattern.tag, pattern.ignore);
            return;
        }
        const std::uint64_t room = buffer.size_bytes() - receive->multi_used;
        if (options.multi && message->head.size_bytes > room) return;
        remove_unexpected(message, options.tagged);
        match(receive, message->arrival, message->head);
        x_messages.give_back(message);
        if (!options.multi || !is_posted(receive, options.tagged)) return;
    }
}

void Transport::remove_unexpected(Unexpected* message, bool tagged) {
    unexpected(tagged).remove(message);
    if (message->arrival.is_synchronous) --x_synchronous;
}

bool Transport::is_posted(const Receive* receive, bool tagged) {
    std::uint64_t searched = 0;
    return posted(tagged).find([receive](const Receive& entry) { return &entry == receive; },
                               searched) != nullptr;
}

void Transport::peek(const Pattern& pattern, void* context, bool tagged, bool claim) {
    count_anew_in_new_call();
    x_wire.come_into_time();
    progress();
    Unexpected* message = find_unexpected(pattern, tagged);
    if (message == nullptr && note_empty_peek(pattern)) {
        wait_for_any();
        progress();
        message = find_unexpected(pattern, tagged);
    }
    Completion completion;
    completion.context = context;
    completion.operation = Completion::Operation::kReceive;
    completion.tagged = tagged;
    if (message == nullptr) {
        completion.status = Completion::Status::kNoMessage;
        return x_sink.complete(completion);
    }
    x_empty_peeks = 0;
    completion.size_bytes = message->head.size_bytes;
    completion.tag = message->head.tag;
    completion.data = message->head.data;
    completion.has_data = message->head.has_data;
    completion.source = message->arrival.source;
    if (claim) {
        remove_unexpected(message, tagged);
        x_claimed[context] = message;
    }
    x_sink.complete(completion);
}

bool Transport::receive_claimed(const Buffer& buffer, void* context, bool discard) {
    const auto place = x_claimed.find(context);
    if (place == x_claimed.end()) return false;
    Unexpected* message = place->second;
    x_claimed.erase(place);
    auto* receive = x_receives.make();
    receive->tagged = message->head.tagged;
    receive->context = context;
    receive->discards = discard;
    if (!discard) receive->buffer = buffer;
    posted(receive->tagged).append(receive);
    match(receive, message->arrival, message->head);
    x_messages.give_back(message);
    return true;
}

bool Transport::cancel(void* context) {
    x_wire.come_into_time();
    take_seen();
    for (const bool tagged : {true, false}) {
        std::uint64_t searched = 0;
        Receive* receive = posted(tagged).find(
            [context](const Receive& entry) { return entry.context == context; }, searched);
        if (receive == nullptr) continue;
        posted(tagged).remove(receive);
        Completion completion;
        completion.context = context;
        completion.operation = Completion::Operation::kReceive;
        completion.status = Completion::Status::kCancelled;
        completion.tagged = tagged;
        receive->multi = false;  // messages on their way into it: it goes with the last of them
        if (receive->multi_slices == 0) x_receives.give_back(receive);
        x_sink.complete(completion);
        return true;
    }
    return false;
}

}  // namespace kumi
