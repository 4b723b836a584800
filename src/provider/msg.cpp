// Untagged messages: the MPI library's own active messages.

#include "provider/objects.hpp"

namespace kumi::provider {
namespace {

matching::Pattern any_tag(const Endpoint& endpoint, fi_addr_t source) {
    return endpoint.pattern(source, 0, ~std::uint64_t{0});
}

transport::SendOptions untagged(const Endpoint& endpoint, std::uint64_t flags,
                                std::uint64_t data = 0) {
    transport::SendOptions options = endpoint.send_options(flags);
    options.tagged = false;
    options.data = data;
    return options;
}

ssize_t recv(fid_ep* object, void* base, std::size_t size_bytes, void*, fi_addr_t source,
             void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_receive(any_tag(endpoint, source),
                                  transport::Buffer::of(base, size_bytes), context, false,
                                  endpoint.receive_flags);
}

ssize_t recvv(fid_ep* object, const iovec* segments, void**, std::size_t count, fi_addr_t source,
              void* context) {
    if (count > transport::kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_receive(any_tag(endpoint, source), transport::Buffer::of(segments, count),
                                  context, false, endpoint.receive_flags);
}

ssize_t recvmsg(fid_ep* object, const fi_msg* message, std::uint64_t flags) {
    if (message->iov_count > transport::kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_receive(any_tag(endpoint, message->addr),
                                  transport::Buffer::of(message->msg_iov, message->iov_count),
                                  message->context, false, flags);
}

ssize_t send(fid_ep* object, const void* base, std::size_t size_bytes, void*, fi_addr_t target,
             void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_send(target, constant_buffer(base, size_bytes), context,
                               untagged(endpoint, endpoint.send_flags));
}

ssize_t sendv(fid_ep* object, const iovec* segments, void**, std::size_t count, fi_addr_t target,
              void* context) {
    if (count > transport::kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_send(target, transport::Buffer::of(segments, count), context,
                               untagged(endpoint, endpoint.send_flags));
}

ssize_t sendmsg(fid_ep* object, const fi_msg* message, std::uint64_t flags) {
    if (message->iov_count > transport::kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_send(message->addr,
                               transport::Buffer::of(message->msg_iov, message->iov_count),
                               message->context, untagged(endpoint, flags, message->data));
}

ssize_t inject(fid_ep* object, const void* base, std::size_t size_bytes, fi_addr_t target) {
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_inject(target, base, size_bytes, untagged(endpoint, FI_INJECT));
}

ssize_t senddata(fid_ep* object, const void* base, std::size_t size_bytes, void*,
                 std::uint64_t data, fi_addr_t target, void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_send(target, constant_buffer(base, size_bytes), context,
                               untagged(endpoint, endpoint.send_flags | FI_REMOTE_CQ_DATA, data));
}

ssize_t injectdata(fid_ep* object, const void* base, std::size_t size_bytes, std::uint64_t data,
                   fi_addr_t target) {
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_inject(target, base, size_bytes,
                                 untagged(endpoint, FI_INJECT | FI_REMOTE_CQ_DATA, data));
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
