#include "endpoint/protocol.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "endpoint/service/service.hpp"

namespace kumi::endpoint {

void Protocol::post(std::uint32_t request) {
    // What is there already comes first, of which one receive may take several.
    while (take_unexpected(request)) {
        const Request& receive = x_requests[request];
        if (!receive.is_multi || receive.state != RequestState::kNew) return;
    }
    Request& receive = x_requests[request];
    receive.enter(RequestState::kPosted);
    posted(receive.tagged).append(x_memory, matching::PostedEntry::of(receive.pattern, request));
    note_depths();
}

bool Protocol::take_unexpected(std::uint32_t request) {
    const Request& receive = x_requests[request];
    bool fits = true;
    matching::UnexpectedQueue& queue = unexpected(receive.tagged);
    const std::uint32_t depth = queue.size();
    const matching::Search search = queue.take(
        x_memory, receive.pattern, counting(),
        [](const matching::UnexpectedEntry&) { return true; },
        [&](const matching::UnexpectedEntry& entry) {
            fits = has_room(receive, x_driver.kept(entry.id).head.size_bytes);
            return !fits;
        });
    charge_search(x_endpoint.account.unexpected, depth, search,
                  x_parameters.matching.of_receive(search, receive.has_no_wildcards), receive.site);
    if (!search.found || !fits) return false;
    note_depths();
    match(request, x_driver.kept(search.id));
    return true;
}

void Protocol::arrived(const Arrival& arrival) {
    if (arrival.is_notice) return answer_arrived(arrival);
    switch (arrival.head.kind) {
        case HeadKind::kEager:
        case HeadKind::kRequestToSend:
            return envelope_arrived(arrival);
        case HeadKind::kRendezvousData:
            return payload_arrived(arrival);
        case HeadKind::kFinished:
        case HeadKind::kPutDone:
        case HeadKind::kGetData:
            return answer_arrived(arrival);
        case HeadKind::kStart:
        case HeadKind::kClosing:
            break;
    }
    KUMI_ASSERT(false, "a message of an unknown kind arrived");
}

void Protocol::envelope_arrived(const Arrival& arrival) {
    const Head& head = arrival.head;
    const matching::Envelope envelope{arrival.source, head.tag};
    ++x_endpoint.envelopes;
    matching::PostedQueue& queue = posted(head.tagged);
    const std::uint32_t depth = queue.size();
    const matching::Search search = queue.take(
        x_memory, envelope, counting(),
        [&](const matching::PostedEntry& entry) {
            return has_room(x_requests[entry.id], head.size_bytes);
        },
        [&](const matching::PostedEntry& entry) { return x_requests[entry.id].is_multi; });
    charge_search(x_endpoint.account.posted, depth, search,
                  x_parameters.matching.of_arrival(search, head.has_no_wildcards),
                  search.found ? x_requests[search.id].site : std::uint16_t{0});
    if (search.found) {
        note_depths();
        return match(search.id, arrival);
    }
    unexpected(head.tagged)
        .append(x_memory, matching::UnexpectedEntry::of(envelope, arrival.message));
    note_depths();
    if (x_endpoint.by_interface)
        x_endpoint.unexpected_since =
            earlier(x_endpoint.unexpected_since, x_endpoint.interface.free);
}

std::uint32_t Protocol::part_of(std::uint32_t request, std::uint64_t size_bytes) {
    const std::uint32_t number = x_requests.make(x_requests[request].owner, RequestKind::kReceive);
    Request& part = x_requests[number];
    Request& parent = x_requests[request];
    part.used_bytes = parent.used_bytes;
    part.capacity_bytes = size_bytes;
    part.local = parent.local;
    part.tagged = parent.tagged;
    part.wants_completion = parent.wants_completion;
    part.call = parent.call;
    part.site = parent.site;
    part.parent = request;
    // Messages in the buffer begin at multiples of 16, fit for any header in them.
    parent.used_bytes += (size_bytes + 15) & ~std::uint64_t{15};
    ++parent.parts;
    const std::uint64_t room = parent.capacity_bytes;
    if (parent.used_bytes > room || room - parent.used_bytes < parent.minimum_bytes) {
        parent.used_bytes = room;
        if (parent.state == RequestState::kPosted) posted(parent.tagged).remove(x_memory, request);
        parent.is_multi = false;  // used up: goes with its last part
        parent.enter(RequestState::kUnderWay);
    }
    return number;
}

void Protocol::match(std::uint32_t request, const Arrival& arrival) {
    if (x_requests[request].is_multi) request = part_of(request, arrival.head.size_bytes);
    Request& receive = x_requests[request];
    receive.message = arrival.message;
    ++x_endpoint.matches;
    x_driver.matched(request, arrival.message);
    if (arrival.head.kind == HeadKind::kEager) {
        const Duration reading = x_parameters.matching.of_payload(arrival.head.size_bytes);
        if (reading.ps > 0 && x_endpoint.keeps_account) x_endpoint.account.payloads += reading;
        note_site(receive.site, reading);
        charge_matching(reading);
        if (!x_endpoint.by_interface) return complete_receive(request, arrival.head);
        receive.enter(RequestState::kUnderWay);
        return deliver(request, Delivery::kMatched);
    }
    receive.enter(RequestState::kUnderWay);
    ++x_endpoint.under_way;
    Head data = arrival.head;
    data.kind = HeadKind::kRendezvousData;
    data.target_request = x_requests.handle(request);
    const std::uint64_t size_bytes = std::min(arrival.head.size_bytes, receive.capacity_bytes);
    x_driver.fetch(arrival.source, size_bytes, data);
}

void Protocol::payload_arrived(const Arrival& arrival) {
    x_driver.release(arrival.message);
    const std::uint32_t request = x_requests.find(arrival.head.target_request, arrival.owner);
    if (request == kNone || !x_requests[request].is_under_way()) return;
    --x_endpoint.under_way;
    Head finished{.kind = HeadKind::kFinished, .origin_request = arrival.head.origin_request};
    if (x_endpoint.by_interface)
        deliver(request, Delivery::kArrived);
    else
        complete_receive(request, arrival.head);
    x_driver.send(arrival.source, finished);
}

void Protocol::deliver(std::uint32_t request, Delivery kind) {
    x_requests[request].is_delivered = true;
    x_driver.delivered(request, kind);
}

void Protocol::take(std::uint32_t number) {
    Request& request = x_requests[number];
    KUMI_ASSERT(request.is_delivered, "a rank takes what its interface does not have");
    request.is_delivered = false;
    if (request.kind == RequestKind::kReceive)
        return complete_receive(number, x_driver.kept(request.message).head);
    request.enter(RequestState::kComplete);
    x_driver.completed(number);
}

void Protocol::collect_datagrams(const Head& head) {
    const service::Parameters& service = x_parameters.service;
    const std::uint64_t packets = service::packets_received(
        service, head.size_bytes, head.kind != HeadKind::kEager, x_parameters.control_bytes);
    x_endpoint.datagrams += packets;
    x_driver.charge(service::cost_of(service, packets));
}

void Protocol::complete_receive(std::uint32_t request, const Head& head) {
    x_driver.charge(x_parameters.receive_overhead);
    if (head.by_datagrams) collect_datagrams(head);
    ++x_endpoint.receptions;
    x_requests[request].enter(RequestState::kComplete);
    x_driver.completed(request);
}

void Protocol::answer_arrived(const Arrival& arrival) {
    const std::uint32_t number = x_requests.find(arrival.head.origin_request, arrival.owner);
    const bool is_awaited = number != kNone && x_requests[number].is_under_way();
    // The data of a read lie in the message.
    const bool is_kept = is_awaited && x_requests[number].kind == RequestKind::kRead;
    if (!is_kept) x_driver.release(arrival.message);
    if (!is_awaited) return;
    if (is_kept) x_requests[number].message = arrival.message;
    --x_endpoint.under_way;
    if (x_endpoint.by_interface) return deliver(number, Delivery::kArrived);
    x_requests[number].enter(RequestState::kComplete);
    x_driver.completed(number);
}

matching::Search Protocol::look(const matching::Pattern& pattern, bool tagged, bool takes_out,
                                std::uint16_t site) {
    matching::UnexpectedQueue& queue = unexpected(tagged);
    const std::uint32_t depth = queue.size();
    const matching::Search search = takes_out ? queue.take(x_memory, pattern, counting())
                                              : queue.find(x_memory, pattern, counting());
    charge_search(x_endpoint.account.unexpected, depth, search,
                  x_parameters.matching.of_receive(search), site);
    if (search.found && takes_out) {
        ++x_endpoint.claims;
        note_depths();
    }
    return search;
}

void Protocol::receive_taken_out(std::uint32_t request, std::uint32_t message) {
    x_requests[request].is_claimed = true;
    --x_endpoint.claims;
    match(request, x_driver.kept(message));
}

bool Protocol::cancel(std::uint32_t request) {
    Request& receive = x_requests[request];
    if (receive.state != RequestState::kPosted) return false;
    posted(receive.tagged).remove(x_memory, request);
    note_depths();
    receive.is_multi = false;  // messages on their way into it are complete by themselves
    receive.is_cancelled = true;
    receive.enter(RequestState::kComplete);
    x_driver.completed(request);
    return true;
}

void Protocol::forget() {
    x_endpoint.envelopes -= x_endpoint.claims;
    x_endpoint.claims = 0;
    for (const bool tagged : {true, false}) {
        x_endpoint.envelopes -= unexpected(tagged).size();
        posted(tagged).for_each([this](const matching::PostedEntry& entry) {
            x_requests[entry.id].enter(RequestState::kComplete);
            x_requests.give_back(entry.id);
            return true;
        });
        posted(tagged).clear(x_memory);
        unexpected(tagged).for_each([this](const matching::UnexpectedEntry& entry) {
            x_driver.release(entry.id);
            return true;
        });
        unexpected(tagged).clear(x_memory);
    }
}

}  // namespace kumi::endpoint
