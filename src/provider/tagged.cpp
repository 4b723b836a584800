#include "provider/objects.hpp"

namespace kumi::provider {
namespace {

ssize_t start_send(Endpoint& endpoint, const Buffer& buffer, fi_addr_t target, std::uint64_t tag,
                   void* context, std::uint64_t flags, std::uint64_t data) {
    SendOptions options;
    options.tag = tag;
    options.data = data;
    options.has_data = (flags & FI_REMOTE_CQ_DATA) != 0;
    options.wants_completion = endpoint.send_completes(flags);
    options.buffer_reusable = (flags & FI_INJECT) != 0;
    endpoint.transport.send(endpoint.addresses->rank_of(target), buffer, context, options);
    return 0;
}

ssize_t start_inject(fid_ep* object, const void* base, std::size_t size_bytes, fi_addr_t target,
                     std::uint64_t tag, bool has_data, std::uint64_t data) {
    Endpoint& endpoint = endpoint_of(object);
    SendOptions options;
    options.tag = tag;
    options.data = data;
    options.has_data = has_data;
    options.wants_completion = false;
    options.buffer_reusable = true;
    endpoint.transport.send(endpoint.addresses->rank_of(target),
                            Buffer::of(const_cast<void*>(base), size_bytes), nullptr, options);
    return 0;
}

ssize_t start_receive(Endpoint& endpoint, const Buffer& buffer, const Pattern& pattern,
                      void* context, std::uint64_t flags) {
    ReceiveOptions options;
    options.wants_completion = endpoint.receive_completes(flags);
    endpoint.transport.receive(pattern, buffer, context, options);
    return 0;
}

ssize_t recv(fid_ep* object, void* base, std::size_t size_bytes, void*, fi_addr_t source,
             std::uint64_t tag, std::uint64_t ignore, void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return start_receive(endpoint, Buffer::of(base, size_bytes),
                         endpoint.pattern(source, tag, ignore), context, endpoint.receive_flags);
}

ssize_t recvv(fid_ep* object, const iovec* segments, void**, std::size_t count, fi_addr_t source,
              std::uint64_t tag, std::uint64_t ignore, void* context) {
    if (count > kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return start_receive(endpoint, Buffer::of(segments, count),
                         endpoint.pattern(source, tag, ignore), context, endpoint.receive_flags);
}

ssize_t recvmsg(fid_ep* object, const fi_msg_tagged* message, std::uint64_t flags) {
    if (message->iov_count > kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    const Pattern pattern = endpoint.pattern(message->addr, message->tag, message->ignore);
    if ((flags & FI_PEEK) != 0) {
        endpoint.transport.peek(pattern, message->context, true, (flags & FI_CLAIM) != 0);
        return 0;
    }
    const Buffer buffer = Buffer::of(message->msg_iov, message->iov_count);
    if ((flags & FI_CLAIM) != 0) {
        const bool discard = (flags & FI_DISCARD) != 0;
        return endpoint.transport.receive_claimed(buffer, message->context, discard) ? 0
                                                                                     : -FI_EINVAL;
    }
    return start_receive(endpoint, buffer, pattern, message->context, flags);
}

ssize_t send(fid_ep* object, const void* base, std::size_t size_bytes, void*, fi_addr_t target,
             std::uint64_t tag, void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return start_send(endpoint, Buffer::of(const_cast<void*>(base), size_bytes), target, tag,
                      context, endpoint.send_flags, 0);
}

ssize_t sendv(fid_ep* object, const iovec* segments, void**, std::size_t count, fi_addr_t target,
              std::uint64_t tag, void* context) {
    if (count > kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return start_send(endpoint, Buffer::of(segments, count), target, tag, context,
                      endpoint.send_flags, 0);
}

ssize_t sendmsg(fid_ep* object, const fi_msg_tagged* message, std::uint64_t flags) {
    if (message->iov_count > kMaxSegments) return -FI_EINVAL;
    return start_send(endpoint_of(object), Buffer::of(message->msg_iov, message->iov_count),
                      message->addr, message->tag, message->context, flags, message->data);
}

ssize_t inject(fid_ep* object, const void* base, std::size_t size_bytes, fi_addr_t target,
               std::uint64_t tag) {
    return start_inject(object, base, size_bytes, target, tag, false, 0);
}

ssize_t senddata(fid_ep* object, const void* base, std::size_t size_bytes, void*,
                 std::uint64_t data, fi_addr_t target, std::uint64_t tag, void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return start_send(endpoint, Buffer::of(const_cast<void*>(base), size_bytes), target, tag,
                      context, endpoint.send_flags | FI_REMOTE_CQ_DATA, data);
}

ssize_t injectdata(fid_ep* object, const void* base, std::size_t size_bytes, std::uint64_t data,
                   fi_addr_t target, std::uint64_t tag) {
    return start_inject(object, base, size_bytes, target, tag, true, data);
}

}  // namespace

fi_ops_tagged tagged_operations = {
    .size = sizeof(fi_ops_tagged),
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
