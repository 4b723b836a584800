#include "provider/objects.hpp"
#include "provider/shim.hpp"

namespace kumi::provider {
namespace {

int close_domain(fid* object) {
    delete &object_of<Domain>(object);
    return 0;
}

int refuse_scalable_endpoint(fid_domain*, fi_info*, fid_ep**, void*) { return -FI_ENOSYS; }
int refuse_poll_set(fid_domain*, fi_poll_attr*, fid_poll**) { return -FI_ENOSYS; }
int refuse_shared_send(fid_domain*, fi_tx_attr*, fid_stx**, void*) { return -FI_ENOSYS; }
int refuse_shared_receive(fid_domain*, fi_rx_attr*, fid_ep**, void*) { return -FI_ENOSYS; }
int no_atomic(fid_domain*, fi_datatype, fi_op, fi_atomic_attr*, std::uint64_t) {
    return -FI_EOPNOTSUPP;
}
int no_collective(fid_domain*, fi_collective_op, fi_collective_attr*, std::uint64_t) {
    return -FI_EOPNOTSUPP;
}

constinit fi_ops object_operations = operations_of_object(close_domain);

fi_ops_domain domain_operations = {
    .size = sizeof(fi_ops_domain),
    .av_open = open_address_vector,
    .cq_open = open_completion_queue,
    .endpoint = open_endpoint,
    .scalable_ep = refuse_scalable_endpoint,
    .cntr_open = open_counter,
    .poll_open = refuse_poll_set,
    .stx_ctx = refuse_shared_send,
    .srx_ctx = refuse_shared_receive,
    .query_atomic = no_atomic,
    .query_collective = no_collective,
    .endpoint2 = nullptr,
};

}  // namespace

int open_domain(fid_fabric*, fi_info*, fid_domain** domain, void* context) {
    conductor::RankProcess* process = conductor::RankProcess::attach();
    if (process == nullptr) return -FI_ENODATA;
    const auto shim = loaded_shim(*process);
    if (!shim) return -FI_ENOSYS;
    auto* made = new Domain(*process, *shim);
    begin_object(made->fid.fid, FI_CLASS_DOMAIN, context, object_operations);
    made->fid.ops = &domain_operations;
    made->fid.mr = &memory_region_operations;
    *domain = &made->fid;
    return 0;
}

}  // namespace kumi::provider
