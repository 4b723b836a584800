// Starting operations.

#include <algorithm>
#include <limits>
#include <utility>

#include "transport/transport.hpp"

namespace kumi::transport {

using endpoint::Departure;
using endpoint::Head;
using endpoint::HeadKind;
using endpoint::RequestKind;

namespace {

/// Whether every segment begins and ends where a number does, as far as addresses say.
bool is_aligned(const Buffer& buffer, std::size_t bytes) {
    for (std::size_t i = 0; i < buffer.count; ++i) {
        const auto address = reinterpret_cast<std::uintptr_t>(buffer.segments[i].iov_base);
        if (address % bytes != 0 || buffer.segments[i].iov_len % bytes != 0) return false;
    }
    return true;
}

}  // namespace

Transport::Transport(conductor::EndpointPort& port, CompletionSink& sink, EmptyPolls empty_polls,
                     const ShimTable& shim)
    : x_port(port),
      x_call_log(port.process()),
      x_sink(sink),
      x_shim(shim),
      x_empty_polls_to_sleep(empty_polls) {}

Transport::~Transport() {
    const conductor::EndpointPort::Visit visit(x_port);
    x_port.forget();
    for (const auto& [context, message] : x_claimed) x_port.discard(message);
}

std::uint32_t Transport::start(RequestKind kind, void* context, const Buffer& buffer, bool tagged,
                               bool wants_completion) {
    const std::uint32_t number = x_port.make_request(kind);
    Request& request = x_port.request(number);
    request.local = x_outstanding.make();
    Asked& asked = x_outstanding[request.local];
    asked.context = context;
    asked.request = number;
    asked.wants_completion = wants_completion;
    asked.is_receive = kind == RequestKind::kReceive;
    if (tagged && asked.is_receive) asked.list = Asked::List::kReceives;
    if (tagged && kind == RequestKind::kSend && wants_completion) asked.list = Asked::List::kSends;
    asked.logged = std::exchange(x_logged, 0);
    asked.in_list.call = request.call;
    asked.buffer = buffer;
    x_outstanding.add(request.local);
    request.capacity_bytes = buffer.size_bytes();
    request.tagged = tagged;
    request.wants_completion = wants_completion;
    return number;
}

void Transport::send(std::uint32_t target, const Buffer& buffer, void* context,
                     const SendOptions& options) {
    const conductor::EndpointPort::Visit visit(x_port);
    x_empty_polls = 0;
    Head head{.tagged = options.tagged,
              .has_data = options.has_data,
              .tag = options.tag,
              .data = options.data,
              .size_bytes = buffer.size_bytes()};
    if (options.tagged && x_shim.asserted_of_send != nullptr)
        head.has_no_wildcards = x_shim.asserted_of_send().has_no_wildcards;
    if (options.tagged && head.size_bytes > 0 && x_port.allows_errors())
        decide_errors(head, target, buffer);
    if (x_call_log.records_calls())
        log({.kind = conductor::CallStep::kSend,
             .tag = options.tag,
             .size_bytes = head.size_bytes,
             .peer = target,
             .wants_completion = options.wants_completion},
            options.tagged);
    x_port.spend(x_port.configuration().endpoint.send_overhead);
    const Departure departure(x_port.configuration().endpoint, head.size_bytes,
                              x_port.eager_limit_bytes());
    if (departure.is_requested)
        return send_request(target, buffer, context, head, departure, options);
    if (options.wants_completion && departure.is_awaited)
        return send_awaited(target, buffer, context, head, departure);
    x_port.send(prepare_eager(target, buffer, head));
    const std::uint32_t logged = std::exchange(x_logged, 0);
    if (!options.wants_completion) return;
    x_sink.complete({.context = context,
                     .operation = Completion::Operation::kSend,
                     .tagged = options.tagged,
                     .logged = logged});
}

void Transport::log(const conductor::LoggedCall& call, bool tagged) {
    x_logged = 0;
    if (!tagged) return refuse_record("messages that its MPI library sends for itself");
    x_logged = x_call_log.log_request(call);
}

void Transport::refuse_record(const char* what) {
    if (x_call_log.records_calls()) x_call_log.refuse_record(what);
}

void Transport::decide_errors(Head& head, std::uint32_t target, const Buffer& buffer) {
    const SentContent content = x_shim.content_of_message == nullptr
                                    ? SentContent{}
                                    : x_shim.content_of_message(head.size_bytes);
    const std::size_t bytes = std::max(traits_of(content.element).word_bits / 8, 1U);
    x_port.decide_errors(head, target, content, is_aligned(buffer, bytes));
}

std::uint32_t Transport::prepare(std::uint32_t target, conductor::MessageKind kind,
                                 std::uint64_t size_bytes, std::uint64_t payload_bytes,
                                 const Head& head, std::uint64_t tag) {
    const std::uint32_t index = x_port.prepare(target, kind, payload_bytes);
    conductor::Message& message = x_port.message(index);
    message.size_bytes = size_bytes;
    message.tag = tag;
    message.head = head;
    return index;
}

std::uint32_t Transport::prepare_eager(std::uint32_t target, const Buffer& buffer,
                                       const Head& head) {
    const conductor::MessageKind kind =
        head.tagged ? conductor::MessageKind::kEager : conductor::MessageKind::kInternal;
    const std::uint32_t index =
        prepare(target, kind, head.size_bytes, head.size_bytes, head, head.tag);
    buffer.gather(x_port.message(index).payload, head.size_bytes);
    return index;
}

void Transport::send_awaited(std::uint32_t target, const Buffer& buffer, void* context, Head head,
                             const Departure& departure) {
    const std::uint32_t number = start(RequestKind::kSend, context, buffer, head.tagged, true);
    ++x_sends;
    x_port.request(number).is_copied = true;
    departure.announce(head, x_port.handle(number));
    const std::uint32_t index = prepare_eager(target, buffer, head);
    x_port.message(index).wants_notice = true;
    x_port.begin(number);
    x_port.send(index);
}

void Transport::send_request(std::uint32_t target, const Buffer& buffer, void* context, Head head,
                             const Departure& departure, const SendOptions& options) {
    const std::uint32_t number =
        start(RequestKind::kSend, context, buffer, options.tagged, options.wants_completion);
    if (options.wants_completion) ++x_sends;
    departure.announce(head, x_port.handle(number));
    head.address = reinterpret_cast<std::uint64_t>(buffer.segments[0].iov_base);
    const bool travels_along = !x_port.can_reach_memory();
    const std::uint32_t index =
        prepare(target, conductor::MessageKind::kControl, departure.envelope_bytes,
                travels_along ? head.size_bytes : 0, head, 0);
    x_port.request(number).is_copied = travels_along;
    if (travels_along)
        buffer.gather(x_port.message(index).payload, head.size_bytes);
    else if (buffer.count > 1 || options.buffer_reusable)
        x_port.keep_payload(number, head.size_bytes,
                            [&](std::byte* payload) { buffer.gather(payload, head.size_bytes); });
    x_port.begin(number);
    x_port.send(index, /*is_request=*/true);
}

void Transport::access(RequestKind kind, std::uint32_t target, std::uint64_t key,
                       std::uint64_t offset, const Buffer& buffer, void* context,
                       bool wants_completion) {
    const conductor::EndpointPort::Visit visit(x_port);
    refuse_record("one-sided operations");
    const std::uint32_t number = start(kind, context, buffer, false, wants_completion);
    ++x_accesses;
    const bool is_read = kind == RequestKind::kRead;
    const std::uint64_t control_bytes = x_port.configuration().endpoint.control_bytes;
    Head head{.kind = is_read ? HeadKind::kGetData : HeadKind::kPutDone,
              .size_bytes = buffer.size_bytes(),
              .origin_request = x_port.handle(number)};
    x_port.spend(x_port.configuration().endpoint.send_overhead);
    using conductor::ArrivalAction, conductor::MessageKind;
    const std::uint32_t index =
        is_read ? prepare(target, MessageKind::kControl, control_bytes, 0, head, 0)
                : prepare(target, MessageKind::kPut, head.size_bytes, head.size_bytes, head, 0);
    conductor::Message& message = x_port.message(index);
    if (!is_read) buffer.gather(message.payload, head.size_bytes);
    message.action = is_read ? ArrivalAction::kGet : ArrivalAction::kPut;
    message.reply_kind = is_read ? MessageKind::kGet : MessageKind::kControl;
    message.reply_bytes = is_read ? head.size_bytes : control_bytes;
    message.remote_key = key;
    message.remote_offset = offset;
    x_port.begin(number);
    x_port.send(index);
}

void Transport::receive(const matching::Pattern& pattern, const Buffer& buffer, void* context,
                        const ReceiveOptions& options) {
    const conductor::EndpointPort::Visit visit(x_port);
    x_empty_polls = 0;
    if (options.tagged && x_call_log.records_calls())
        log({.kind = conductor::CallStep::kReceive,
             .tag = pattern.tag,
             .ignore = pattern.ignore,
             .size_bytes = buffer.size_bytes(),
             .peer = pattern.source},
            /*tagged=*/true);
    const std::uint32_t number =
        start(RequestKind::kReceive, context, buffer, options.tagged, options.wants_completion);
    if (options.tagged) ++x_receives;
    Request& request = x_port.request(number);
    if (options.tagged && x_shim.asserted_of_receive != nullptr) {
        const AssertedMessage asserted = x_shim.asserted_of_receive();
        x_outstanding[request.local].exact_for = asserted.exact_for;
        request.has_no_wildcards = asserted.has_no_wildcards;
    }
    request.pattern = pattern;
    request.is_multi = options.multi;
    request.minimum_bytes = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
        options.multi_minimum, 1, std::numeric_limits<std::uint32_t>::max()));
    x_port.post(number);
}

bool Transport::receive_claimed(const Buffer& buffer, void* context, bool discard) {
    const conductor::EndpointPort::Visit visit(x_port);
    const auto place = x_claimed.find(context);
    if (place == x_claimed.end()) return false;
    const std::uint32_t index = place->second;
    x_claimed.erase(place);
    const conductor::Message& message = x_port.message(index);
    const bool tagged = message.head.tagged;
    if (tagged && x_call_log.records_calls())
        log({.kind = conductor::CallStep::kReceive,
             .tag = message.head.tag,
             .size_bytes = message.head.size_bytes,
             .peer = message.source},
            /*tagged=*/true);
    const std::uint32_t number =
        start(RequestKind::kReceive, context, discard ? Buffer{} : buffer, tagged, true);
    if (tagged) ++x_receives;
    x_port.request(number).discards = discard;
    x_port.receive_taken_out(number, index);
    return true;
}

bool Transport::cancel(void* context) {
    const conductor::EndpointPort::Visit visit(x_port);
    refuse_record("receives that are cancelled");
    x_port.look_synchronised();
    const Asked* found = x_outstanding.find_receive(context);
    if (found == nullptr) return false;
    const std::uint32_t number = found->request;
    // What is on its way into a buffer for several messages goes on.
    const bool is_taken_back = x_port.cancel(number) || x_port.request(number).is_multi;
    if (!is_taken_back) await_payload(number);
    report_complete();
    return is_taken_back;
}

}  // namespace kumi::transport
