#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "conductor/testing/all_ports.hpp"

/// What ranks without an MPI library do: messages, receives and accesses.
namespace kumi::conductor {

/// Sends `size_bytes` that carry nothing.
inline void send_bytes(AllPorts& port, std::uint32_t target, std::uint64_t size_bytes) {
    const std::uint32_t index = port.prepare(target, MessageKind::kEager, 0);
    port.message(index).size_bytes = size_bytes;
    port.send(index);
}

/// The same, in a blocking call of the program's.
inline void send_in_call(AllPorts& port, std::uint32_t target, std::uint64_t size_bytes) {
    const InCall call(port, "send");
    send_bytes(port, target, size_bytes);
}

/// An access of 8 bytes to the memory that the target has exposed under `key`, and its request.
struct Access {
    std::uint32_t message;
    std::uint32_t request;
};
inline Access prepare_access(AllPorts& port, std::uint32_t target, std::uint64_t key,
                             ArrivalAction action) {
    const bool is_read = action == ArrivalAction::kGet;
    const std::uint32_t index =
        port.prepare(target, is_read ? MessageKind::kControl : MessageKind::kPut, is_read ? 0 : 8);
    Message& message = port.message(index);
    message.size_bytes = message.reply_bytes = 8;
    message.action = action;
    message.reply_kind = is_read ? MessageKind::kGet : MessageKind::kControl;
    message.remote_key = key;
    const auto kind = is_read ? endpoint::RequestKind::kRead : endpoint::RequestKind::kWrite;
    const std::uint32_t request = port.make_request(kind);
    message.head.kind = is_read ? endpoint::HeadKind::kGetData : endpoint::HeadKind::kPutDone;
    message.head.origin_request = port.handle(request);
    return {index, request};
}

/// Carries the access out. Returns the request, which is complete.
inline std::uint32_t access(AllPorts& port, const Access& access) {
    port.begin(access.request);
    port.send(access.message);
    const InCall call(port, "wait", CallClass::kWindow);
    std::uint32_t done = port.take_complete();
    for (; done == endpoint::kNone; done = port.take_complete()) port.wait({});
    return done;
}

/// Puts a 1 of 8 bytes into the memory that the target has exposed under `key`, and waits until it
/// is there.
inline void put_one(AllPorts& port, std::uint32_t target, std::uint64_t key) {
    const Access put = prepare_access(port, target, key, ArrivalAction::kPut);
    port.message(put.message).payload[0] = std::byte{1};
    access(port, put);
}

/// Gets 8 bytes from there.
inline std::uint64_t get_one(AllPorts& port, std::uint32_t target, std::uint64_t key) {
    const std::uint32_t done = access(port, prepare_access(port, target, key, ArrivalAction::kGet));
    std::uint64_t value = 0;
    std::memcpy(&value, port.message_of(done).payload, sizeof value);
    return value;
}

/// Posts a receive of up to `size_bytes`; returns its request.
inline std::uint32_t post_receive(AllPorts& port, const matching::Pattern& pattern,
                                  std::uint64_t size_bytes = 1 << 20) {
    const std::uint32_t number = port.make_request(endpoint::RequestKind::kReceive);
    port.request(number).pattern = pattern;
    port.request(number).capacity_bytes = size_bytes;
    port.post(number);
    return number;
}

/// Looks once for a message of which a receive is posted. Returns whether there is one.
inline bool poll_once(AllPorts& port) {
    const InCall call(port, "poll", CallClass::kPolling);
    port.look();
    const std::uint32_t done = port.take_complete();
    if (done != endpoint::kNone) port.finish(done);
    return done != endpoint::kNone;
}

/// Waits for the message of a receive from one source; runs ahead if that is certain.
inline void wait_for(AllPorts& port, std::uint32_t receive) {
    const EndpointPort::Wait wait{
        .requests = {&receive, 1}, .is_exact = true, .may_run_ahead = port.may_run_ahead()};
    if (!port.wait(wait)) port.take_complete();
    (void)port.message_of(receive);
    port.finish(receive);
}

/// Waits for a message, in a blocking call; returns its source.
inline std::uint32_t receive_any(AllPorts& port) {
    const InCall call(port, "receive");
    post_receive(port, matching::kAnything);
    std::uint32_t done = port.take_complete();
    while (done == endpoint::kNone) {
        port.wait({});
        done = port.take_complete();
    }
    const std::uint32_t source = port.message_of(done).source;
    port.finish(done);
    return source;
}

}  // namespace kumi::conductor
