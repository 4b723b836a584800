// What has been completed, and what is certain to be.

#include <algorithm>

#include "base/check.hpp"
#include "conductor/port/hint_port.hpp"
#include "transport/transport.hpp"

namespace kumi::transport {

using endpoint::kNone;
using endpoint::RequestKind;

void Transport::report_complete() {
    for (;;) {
        const std::uint32_t number = x_port.take_complete();
        if (number == kNone) return;
        report(number);
    }
}

void Transport::report(std::uint32_t number) {
    const Request& request = x_port.request(number);
    switch (request.kind) {
        case RequestKind::kReceive:
            return request.is_cancelled ? report_cancelled(number) : report_receive(number);
        case RequestKind::kSend:
            return report_send(number);
        case RequestKind::kRead:
        case RequestKind::kWrite:
            return report_remote_access(number);
    }
}

/// The caller has the completion, or wants none.
void Transport::end(std::uint32_t number) {
    const Request& request = x_port.request(number);
    if (request.parent == kNone) {
        if (request.kind == RequestKind::kSend)
            x_sends -= request.wants_completion ? 1 : 0;
        else if (request.kind != RequestKind::kReceive)
            --x_accesses;
        else if (request.tagged)
            --x_receives;
        // Messages in a buffer for several outlast the receive that was cancelled.
        if (request.parts == 0) x_outstanding.remove(request.local);
    }
    x_port.finish(number);
}

void Transport::report_receive(std::uint32_t number) {
    const Request& request = x_port.request(number);
    const conductor::Message& message = x_port.message_of(number);
    const Asked& asked = x_outstanding[request.local];
    const bool is_part = request.parent != kNone;
    Completion completion{.context = asked.context,
                          .operation = Completion::Operation::kReceive,
                          .tagged = request.tagged,
                          .has_data = message.head.has_data,
                          .is_synchronous = request.tagged && message.is_synchronous != 0,
                          .source = message.source,
                          .logged = asked.logged,
                          .tag = message.head.tag,
                          .data = message.head.data};
    if (is_part) {
        auto* first = static_cast<std::byte*>(asked.buffer.segments[0].iov_base);
        completion.buffer = first + request.used_bytes;
        copy_payload(message, Buffer::of(completion.buffer, request.capacity_bytes));
    } else {
        copy_payload(message, asked.buffer);
    }
    const std::uint64_t size_bytes = message.head.size_bytes;
    completion.size_bytes =
        request.discards ? size_bytes : std::min(size_bytes, request.capacity_bytes);
    completion.missing_bytes = size_bytes - completion.size_bytes;
    if (asked.exact_for != nullptr && size_bytes != request.capacity_bytes)
        conductor::HintPort(x_port.process())
            .note_broken_assertion(Assertion::kExactLength, asked.exact_for);
    if (completion.missing_bytes > 0) completion.status = Completion::Status::kTruncated;
    const bool is_wanted = request.wants_completion || completion.status != Completion::Status::kOk;
    const std::uint32_t local = request.local;
    if (is_part && x_port.end_part(number)) {
        completion.buffer_released = true;
        x_outstanding.remove(local);
    }
    end(number);
    if (is_wanted) x_sink.complete(completion);
}

void Transport::note_read(const Completion& completion) {
    if (!x_call_log.records_calls()) return;
    x_call_log.log({.kind = conductor::CallStep::kSeen,
                    .tag = completion.tag,
                    .peer = completion.source,
                    .request = completion.logged});
}

void Transport::copy_payload(const conductor::Message& message, const Buffer& buffer) {
    const std::uint64_t size_bytes = std::min(message.head.size_bytes, buffer.size_bytes());
    const bool is_large = message.head.kind == endpoint::HeadKind::kRequestToSend;
    const bool travelled_along = !is_large || message.payload_bytes > 0;
    if (travelled_along)
        buffer.scatter(message.payload, size_bytes);
    else
        x_port.take_payload(message, {buffer.segments, buffer.count}, size_bytes);
    if (message.head.allows_errors && size_bytes > 0) corrupt(message, buffer, size_bytes);
}

void Transport::corrupt(const conductor::Message& message, const Buffer& buffer,
                        std::uint64_t size_bytes) {
    if (buffer.count == 1) {
        auto* payload = static_cast<std::byte*>(buffer.segments[0].iov_base);
        return x_port.corrupt(message, {payload, size_bytes});
    }
    std::vector<std::byte> payload(size_bytes);
    buffer.gather(payload.data(), size_bytes);
    x_port.corrupt(message, payload);
    buffer.scatter(payload.data(), size_bytes);
}

void Transport::report_cancelled(std::uint32_t number) {
    const Request& request = x_port.request(number);
    const Completion completion{.context = x_outstanding[request.local].context,
                                .operation = Completion::Operation::kReceive,
                                .status = Completion::Status::kCancelled,
                                .tagged = request.tagged};
    end(number);
    x_sink.complete(completion);
}

void Transport::report_send(std::uint32_t number) {
    const Request& request = x_port.request(number);
    const Asked& asked = x_outstanding[request.local];
    // From now on the caller may change its buffer.
    const std::uint64_t size_bytes = request.capacity_bytes;
    x_port.keep_payload(number, size_bytes,
                        [&](std::byte* payload) { asked.buffer.gather(payload, size_bytes); });
    const Completion completion{.context = asked.context,
                                .operation = Completion::Operation::kSend,
                                .tagged = request.tagged,
                                .logged = asked.logged};
    const bool is_wanted = request.wants_completion;
    end(number);
    if (is_wanted) x_sink.complete(completion);
}

void Transport::report_remote_access(std::uint32_t number) {
    const Request& request = x_port.request(number);
    const Asked& asked = x_outstanding[request.local];
    const bool is_read = request.kind == RequestKind::kRead;
    if (is_read) {
        const conductor::Message& message = x_port.message_of(number);
        asked.buffer.scatter(message.payload, message.payload_bytes);
    }
    Completion completion{
        .context = asked.context,
        .operation = is_read ? Completion::Operation::kRead : Completion::Operation::kWrite};
    const bool is_wanted = request.wants_completion;
    end(number);
    x_sink.count_remote_access(completion.operation);
    if (is_wanted) x_sink.complete(completion);
}

}  // namespace kumi::transport
