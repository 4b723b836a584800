// Operations on messages: tagged ones are what programs send, the others are the MPI library's own
// active messages.

#include "provider/objects.hpp"

namespace kumi::provider {
namespace {

using transport::Buffer;

/// What of a message receives look at. Untagged ones take any.
struct Label {
    bool tagged = false;
    std::uint64_t tag = 0;
    std::uint64_t ignore = ~std::uint64_t{0};
};

/// `Tags` of each function below: nothing, or the tag, and of receives which of its bits to ignore.
Label label_of() { return {}; }
Label label_of(std::uint64_t tag, std::uint64_t ignore = 0) { return {true, tag, ignore}; }
Label label_of(const fi_msg&) { return {}; }
Label label_of(const fi_msg_tagged& message) { return label_of(message.tag, message.ignore); }

ssize_t receive(Endpoint& endpoint, const Label& label, const Buffer& buffer, fi_addr_t source,
                void* context, std::uint64_t flags) {
    return endpoint.start_receive(endpoint.pattern(source, label.tag, label.ignore), buffer,
                                  context, label.tagged, flags);
}

transport::SendOptions options_of(const Endpoint& endpoint, const Label& label, std::uint64_t flags,
                                  std::uint64_t data = 0) {
    transport::SendOptions options = endpoint.send_options(flags);
    options.tagged = label.tagged;
    options.tag = label.tag;
    options.data = data;
    return options;
}

template <class... Tags>
ssize_t recv(fid_ep* object, void* base, std::size_t size_bytes, void*, fi_addr_t source,
             Tags... tags, void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return receive(endpoint, label_of(tags...), Buffer::of(base, size_bytes), source, context,
                   endpoint.receive_flags);
}

template <class... Tags>
ssize_t recvv(fid_ep* object, const iovec* segments, void**, std::size_t count, fi_addr_t source,
              Tags... tags, void* context) {
    if (count > transport::kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return receive(endpoint, label_of(tags...), Buffer::of(segments, count), source, context,
                   endpoint.receive_flags);
}

template <class Message>
ssize_t recvmsg(fid_ep* object, const Message* message, std::uint64_t flags) {
    if (message->iov_count > transport::kMaxSegments) return -FI_EINVAL;
    return receive(endpoint_of(object), label_of(*message),
                   Buffer::of(message->msg_iov, message->iov_count), message->addr,
                   message->context, flags);
}

template <class... Tags>
ssize_t send(fid_ep* object, const void* base, std::size_t size_bytes, void*, fi_addr_t target,
             Tags... tags, void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_send(target, constant_buffer(base, size_bytes), context,
                               options_of(endpoint, label_of(tags...), endpoint.send_flags));
}

template <class... Tags>
ssize_t sendv(fid_ep* object, const iovec* segments, void**, std::size_t count, fi_addr_t target,
              Tags... tags, void* context) {
    if (count > transport::kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_send(target, Buffer::of(segments, count), context,
                               options_of(endpoint, label_of(tags...), endpoint.send_flags));
}

template <class Message>
ssize_t sendmsg(fid_ep* object, const Message* message, std::uint64_t flags) {
    if (message->iov_count > transport::kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_send(message->addr, Buffer::of(message->msg_iov, message->iov_count),
                               message->context,
                               options_of(endpoint, label_of(*message), flags, message->data));
}

template <class... Tags>
ssize_t inject(fid_ep* object, const void* base, std::size_t size_bytes, fi_addr_t target,
               Tags... tags) {
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_inject(target, base, size_bytes,
                                 options_of(endpoint, label_of(tags...), FI_INJECT));
}

template <class... Tags>
ssize_t senddata(fid_ep* object, const void* base, std::size_t size_bytes, void*,
                 std::uint64_t data, fi_addr_t target, Tags... tags, void* context) {
    Endpoint& endpoint = endpoint_of(object);
    const std::uint64_t flags = endpoint.send_flags | FI_REMOTE_CQ_DATA;
    return endpoint.start_send(target, constant_buffer(base, size_bytes), context,
                               options_of(endpoint, label_of(tags...), flags, data));
}

template <class... Tags>
ssize_t injectdata(fid_ep* object, const void* base, std::size_t size_bytes, std::uint64_t data,
                   fi_addr_t target, Tags... tags) {
    Endpoint& endpoint = endpoint_of(object);
    return endpoint.start_inject(
        target, base, size_bytes,
        options_of(endpoint, label_of(tags...), FI_INJECT | FI_REMOTE_CQ_DATA, data));
}

using Tag = std::uint64_t;

}  // namespace

fi_ops_msg message_operations = {
    .size = sizeof(fi_ops_msg),
    .recv = recv<>,
    .recvv = recvv<>,
    .recvmsg = recvmsg,
    .send = send<>,
    .sendv = sendv<>,
    .sendmsg = sendmsg,
    .inject = inject<>,
    .senddata = senddata<>,
    .injectdata = injectdata<>,
};

fi_ops_tagged tagged_operations = {
    .size = sizeof(fi_ops_tagged),
    .recv = recv<Tag, Tag>,
    .recvv = recvv<Tag, Tag>,
    .recvmsg = recvmsg,
    .send = send<Tag>,
    .sendv = sendv<Tag>,
    .sendmsg = sendmsg,
    .inject = inject<Tag>,
    .senddata = senddata<Tag>,
    .injectdata = injectdata<Tag>,
};

}  // namespace kumi::provider
