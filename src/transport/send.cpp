// Starting operations: what happens in the sender's calls.

#include "transport/transport.hpp"

namespace kumi {

void Transport::send(std::uint32_t target, const Buffer& buffer, void* context,
                     const SendOptions& options) {
    x_empty_polls = 0;
    Head head;
    head.tagged = options.tagged;
    head.has_data = options.has_data;
    head.tag = options.tag;
    head.data = options.data;
    head.size_bytes = buffer.size_bytes();
    x_wire.spend(x_wire.parameters().send_overhead);
    if (head.size_bytes > x_wire.parameters().eager_limit_bytes)
        return send_request(target, buffer, context, head, options);
    if (options.wants_completion && x_wire.parameters().sends_complete_delivered)
        return send_awaited(target, buffer, context, head);
    x_wire.send(prepare_eager(target, buffer, head));
    if (!options.wants_completion) return;
    Completion completion;
    completion.context = context;
    completion.operation = Completion::Operation::kSend;
    completion.tagged = options.tagged;
    x_sink.complete(completion);
}

std::uint32_t Transport::begin_origin() {
    ++x_under_way;
    return x_origins.make();
}

void Transport::send_awaited(std::uint32_t target, const Buffer& buffer, void* context, Head head) {
    const std::uint32_t number = begin_origin();
    Origin& origin = x_origins[number];
    origin.context = context;
    origin.wants_completion = true;
    origin.tagged = head.tagged;
    head.origin_request = x_origins.handle(number);
    x_wire.send_with_notice(prepare_eager(target, buffer, head));
}

Outgoing Transport::prepare_eager(std::uint32_t target, const Buffer& buffer, const Head& head) {
    const TrafficClass traffic = head.tagged ? TrafficClass::kEager : TrafficClass::kInternal;
    const Outgoing outgoing =
        x_wire.prepare(target, traffic, head.size_bytes, head.size_bytes, &head, head.tag);
    buffer.gather(outgoing.payload, head.size_bytes);
    return outgoing;
}

void Transport::send_request(std::uint32_t target, const Buffer& buffer, void* context, Head head,
                             const SendOptions& options) {
    const std::uint32_t number = begin_origin();
    Origin& origin = x_origins[number];
    origin.context = context;
    origin.wants_completion = options.wants_completion;
    origin.tagged = options.tagged;
    head.kind = HeadKind::kRequestToSend;
    head.origin_request = x_origins.handle(number);

    const bool travels_along = !x_wire.can_read_peers();
    if (!travels_along && (buffer.count > 1 || options.buffer_reusable)) {
        origin.packed = std::make_unique_for_overwrite<std::byte[]>(head.size_bytes);
        buffer.gather(origin.packed.get(), head.size_bytes);
    }
    const void* payload =
        origin.packed ? origin.packed.get() : static_cast<void*>(buffer.segments[0].iov_base);
    head.address = reinterpret_cast<std::uint64_t>(payload);
    const Outgoing outgoing =
        x_wire.prepare(target, TrafficClass::kControl, x_wire.parameters().control_bytes,
                       travels_along ? head.size_bytes : 0, &head, 0);
    if (travels_along) buffer.gather(outgoing.payload, head.size_bytes);
    x_wire.send_request(outgoing);
}

void Transport::read(std::uint32_t target, std::uint64_t key, std::uint64_t offset,
                     const Buffer& buffer, void* context, bool wants_completion) {
    const std::uint32_t number = begin_origin();
    Origin& origin = x_origins[number];
    origin.context = context;
    origin.wants_completion = wants_completion;
    origin.buffer = buffer;
    Head head;
    head.kind = HeadKind::kGetData;
    head.size_bytes = buffer.size_bytes();
    head.origin_request = x_origins.handle(number);
    x_wire.spend(x_wire.parameters().send_overhead);
    x_wire.get(target, key, offset, head.size_bytes, &head);
}

void Transport::write(std::uint32_t target, std::uint64_t key, std::uint64_t offset,
                      const Buffer& buffer, void* context, bool wants_completion) {
    const std::uint32_t number = begin_origin();
    Origin& origin = x_origins[number];
    origin.context = context;
    origin.wants_completion = wants_completion;
    Head head;
    head.kind = HeadKind::kPutDone;
    head.size_bytes = buffer.size_bytes();
    head.origin_request = x_origins.handle(number);
    x_wire.spend(x_wire.parameters().send_overhead);
    const Outgoing outgoing =
        x_wire.prepare(target, TrafficClass::kPut, head.size_bytes, head.size_bytes, &head, 0);
    buffer.gather(outgoing.payload, head.size_bytes);
    x_wire.put(outgoing, key, offset);
}

}  // namespace kumi
