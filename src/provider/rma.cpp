// Remote memory access. Remote completion data are not offered: no MPI library on libfabric uses
// them, and fi_writedata therefore says so.

#include "provider/objects.hpp"

namespace kumi::provider {
namespace {

using endpoint::RequestKind;

ssize_t start(RequestKind kind, Endpoint& endpoint, const transport::Buffer& buffer,
              fi_addr_t target, std::uint64_t offset, std::uint64_t key, void* context,
              bool completes) {
    endpoint.transport.access(kind, endpoint.addresses->rank_of(target), key, offset, buffer,
                              context, completes);
    return 0;
}

ssize_t read(fid_ep* object, void* base, std::size_t size_bytes, void*, fi_addr_t target,
             std::uint64_t offset, std::uint64_t key, void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return start(RequestKind::kRead, endpoint, transport::Buffer::of(base, size_bytes), target,
                 offset, key, context, endpoint.send_completes(endpoint.send_flags));
}

ssize_t write(fid_ep* object, const void* base, std::size_t size_bytes, void*, fi_addr_t target,
              std::uint64_t offset, std::uint64_t key, void* context) {
    Endpoint& endpoint = endpoint_of(object);
    return start(RequestKind::kWrite, endpoint, constant_buffer(base, size_bytes), target, offset,
                 key, context, endpoint.send_completes(endpoint.send_flags));
}

template <RequestKind kKind>
ssize_t access_segments(fid_ep* object, const iovec* segments, void**, std::size_t count,
                        fi_addr_t target, std::uint64_t offset, std::uint64_t key, void* context) {
    if (count > transport::kMaxSegments) return -FI_EINVAL;
    Endpoint& endpoint = endpoint_of(object);
    return start(kKind, endpoint, transport::Buffer::of(segments, count), target, offset, key,
                 context, endpoint.send_completes(endpoint.send_flags));
}

template <RequestKind kKind>
ssize_t access_message(fid_ep* object, const fi_msg_rma* message, std::uint64_t flags) {
    if (message->iov_count > transport::kMaxSegments || message->rma_iov_count != 1)
        return -FI_EINVAL;
    if (kKind == RequestKind::kWrite && (flags & FI_REMOTE_CQ_DATA) != 0) return -FI_EOPNOTSUPP;
    Endpoint& endpoint = endpoint_of(object);
    return start(kKind, endpoint, transport::Buffer::of(message->msg_iov, message->iov_count),
                 message->addr, message->rma_iov[0].addr, message->rma_iov[0].key, message->context,
                 endpoint.send_completes(flags));
}

ssize_t inject(fid_ep* object, const void* base, std::size_t size_bytes, fi_addr_t target,
               std::uint64_t offset, std::uint64_t key) {
    return start(RequestKind::kWrite, endpoint_of(object), constant_buffer(base, size_bytes),
                 target, offset, key, nullptr, false);
}

}  // namespace

fi_ops_rma remote_access_operations = {
    .size = sizeof(fi_ops_rma),
    .read = read,
    .readv = access_segments<RequestKind::kRead>,
    .readmsg = access_message<RequestKind::kRead>,
    .write = write,
    .writev = access_segments<RequestKind::kWrite>,
    .writemsg = access_message<RequestKind::kWrite>,
    .inject = inject,
    .writedata = refuse<FI_EOPNOTSUPP>,
    .injectdata = refuse<FI_EOPNOTSUPP>,
};

}  // namespace kumi::provider
