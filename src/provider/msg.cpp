// Untagged messages: the MPI library's own active messages.

#include "provider/objects.hpp"

namespace kumi::provider {
namespace {

struct SendCall {
    std::uint64_t data = 0;
    bool has_data = false;
    bool wants_completion = false;
    bool buffer_reusable = false;
};

ssize_t start_send(Endpoint& endpoint, const Buffer& buffer, fi_addr_t target, void* context,
                   const SendCall& call) {
    SendOptions options;
    options.tagged = false;
    options.data = call.data;
    options.has_data = call.has_data;
    options.wants_completion = call.wants_completion;
    options.buffer_reusable = call.buffer_reusable;
    endpoint.transport.send(endpoint.addresses->rank_of(target), buffer, context, options);
    return 0;
}

Buffer constant(const void* base, std::size_t size_bytes) {
    return Buffer::of(const_cast<void*>(base), size_bytes);
}

ssize_t start_receive(Endpoint& endpoint, const Buffer& buffer, fi_addr_t source, void* context,
                      std::uint64_t flags) {
    ReceiveOptions options;
    options.tagged = false;
    options.wants_completion = endpoint.receive_completes(flags);
    options.multi = (flags & FI_MULTI_RECV) != 0;
    options.multi_minimum = endpoint.multi_minimum;
    if (options.multi && buffer.count != 1) return -FI_EINVAL;
    endpoint.transport.receive(endpoint.pattern(source, 0, ~std::uint64_t{0}), buffer, context,
                               options);
    return 0;
}

ssize_t recv(fid_ep* object, void* base, std::size_t size_bytes, void*, fi_addr_t source,
             void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return start_receive(endpoint, Buffer::of(base, size_bytes), source, context,
                         endpoint.receive_flags);
}

ssize_t recvv(fid_ep* object, const iovec* segments, void**, std::size_t count, fi_addr_t source,
              void* context) {
    if (count > kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return start_receive(endpoint, Buffer::of(segments, count), source, context,
                         endpoint.receive_flags);
}

ssize_t recvmsg(fid_ep* object, const fi_msg* message, std::uint64_t flags) {
    if (message->iov_count > kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    if ((flags & FI_PEEK) != 0) {
        endpoint.transport.peek(endpoint.pattern(message->addr, 0, ~std::uint64_t{0}),
                                message->context, false, (flags & FI_CLAIM) != 0);
        return 0;
    }
    const Buffer buffer = Buffer::of(message->msg_iov, message->iov_count);
    if ((flags & FI_CLAIM) != 0) {
        const bool discard = (flags & FI_DISCARD) != 0;
        return endpoint.transport.receive_claimed(buffer, message->context, discard) ? 0
                                                                                     : -FI_EINVAL;
    }
    return start_receive(endpoint, buffer, message->addr, message->context, flags);
}

ssize_t send(fid_ep* object, const void* base, std::size_t size_bytes, void*, fi_addr_t target,
             void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return start_send(endpoint, constant(base, size_bytes), target, context,
                      {.wants_completion = endpoint.send_completes(endpoint.send_flags)});
}

ssize_t sendv(fid_ep* object, const iovec* segments, void**, std::size_t count, fi_addr_t target,
              void* context) {
    if (count > kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return start_send(endpoint, Buffer::of(segments, count), target, context,
                      {.wants_completion = endpoint.send_completes(endpoint.send_flags)});
}

ssize_t sendmsg(fid_ep* object, const fi_msg* message, std::uint64_t flags) {
    if (message->iov_count > kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return start_send(endpoint, Buffer::of(message->msg_iov, message->iov_count), message->addr,
                      message->context,
                      {.data = message->data,
                       .has_data = (flags & FI_REMOTE_CQ_DATA) != 0,
                       .wants_completion = endpoint.send_completes(flags),
                       .buffer_reusable = (flags & FI_INJECT) != 0});
}

ssize_t inject(fid_ep* object, const void* base, std::size_t size_bytes, fi_addr_t target) {
    return start_send(endpoint_of(object), constant(base, size_bytes), target, nullptr,
                      {.buffer_reusable = true});
}

ssize_t senddata(fid_ep* object, const void* base, std::size_t size_bytes, void*,
                 std::uint64_t data, fi_addr_t target, void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return start_send(endpoint, constant(base, size_bytes), target, context,
                      {.data = data,
                       .has_data = true,
                       .wants_completion = endpoint.send_completes(endpoint.send_flags)});
}

ssize_t injectdata(fid_ep* object, const void* base, std::size_t size_bytes, std::uint64_t data,
                   fi_addr_t target) {
    return start_send(endpoint_of(object), constant(base, size_bytes), target, nullptr,
                      {.data = data, .has_data = true, .buffer_reusable = true});
}

}  // namespace

fi_ops_msg message_operations = {
    .size = sizeof(fi_ops_msg),
    .recv = recv,
    .recvv = recvv,
    .recvmsg = recvmsg,
    .send = send,
    .sendv = sendv,
    .sendmsg = sendmsg,
    .inject = inject,
    .senddata = senddata,
    .injectdata = injectdata,
};

}  // namespace kumi::provider
