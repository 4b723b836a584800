// Tagged messages: what programs send.

#include "provider/objects.hpp"

namespace kumi::provider {
namespace {

transport::SendOptions with_tag(const Endpoint& endpoint, std::uint64_t tag, std::uint64_t flags,
                                std::uint64_t data = 0) {
    transport::SendOptions options = endpoint.send_options(flags);
    options.tag = tag;
    options.data = data;
    return options;
}

ssize_t recv(fid_ep* object, void* base, std::size_t size_bytes, void*, fi_addr_t source,
             std::uint64_t tag, std::uint64_t ignore, void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_receive(endpoint.pattern(source, tag, ignore),
                                  transport::Buffer::of(base, size_bytes), context, true,
                                  endpoint.receive_flags);
}

ssize_t recvv(fid_ep* object, const iovec* segments, void**, std::size_t count, fi_addr_t source,
              std::uint64_t tag, std::uint64_t ignore, void* context) {
    if (count > transport::kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_receive(endpoint.pattern(source, tag, ignore),
                                  transport::Buffer::of(segments, count), context, true,
                                  endpoint.receive_flags);
}

ssize_t recvmsg(fid_ep* object, const fi_msg_tagged* message, std::uint64_t flags) {
    if (message->iov_count > transport::kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_receive(endpoint.pattern(message->addr, message->tag, message->ignore),
                                  transport::Buffer::of(message->msg_iov, message->iov_count),
                                  message->context, true, flags);
}

ssize_t send(fid_ep* object, const void* base, std::size_t size_bytes, void*, fi_addr_t target,
             std::uint64_t tag, void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_send(target, constant_buffer(base, size_bytes), context,
                               with_tag(endpoint, tag, endpoint.send_flags));
}

ssize_t sendv(fid_ep* object, const iovec* segments, void**, std::size_t count, fi_addr_t target,
              std::uint64_t tag, void* context) {
    if (count > transport::kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_send(target, transport::Buffer::of(segments, count), context,
                               with_tag(endpoint, tag, endpoint.send_flags));
}

ssize_t sendmsg(fid_ep* object, const fi_msg_tagged* message, std::uint64_t flags) {
    if (message->iov_count > transport::kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_send(
        message->addr, transport::Buffer::of(message->msg_iov, message->iov_count),
        message->context, with_tag(endpoint, message->tag, flags, message->data));
}

ssize_t inject(fid_ep* object, const void* base, std::size_t size_bytes, fi_addr_t target,
               std::uint64_t tag) {
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_inject(target, base, size_bytes, with_tag(endpoint, tag, FI_INJECT));
}

ssize_t senddata(fid_ep* object, const void* base, std::size_t size_bytes, void*,
                 std::uint64_t data, fi_addr_t target, std::uint64_t tag, void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_send(
        target, constant_buffer(base, size_bytes), context,
        with_tag(endpoint, tag, endpoint.send_flags | FI_REMOTE_CQ_DATA, data));
}

ssize_t injectdata(fid_ep* object, const void* base, std::size_t size_bytes, std::uint64_t data,
                   fi_addr_t target, std::uint64_t tag) {
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_inject(target, base, size_bytes,
                                 with_tag(endpoint, tag, FI_INJECT | FI_REMOTE_CQ_DATA, data));
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
