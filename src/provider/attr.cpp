#include "provider/attr.hpp"

#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <cstdlib>
#include <cstring>

#include "transport/buffer.hpp"

namespace kumi::provider {
namespace {

/// Newer libfabrics have larger structures than the headers this is built with: their fi_dupinfo
/// must find zeros in what we do not know, so every structure gets room behind it.
constexpr std::size_t kRoomForNewerFields = 1024;

/// All messages and accesses of a pair of ranks keep their order.
constexpr std::uint64_t kMessageOrder = FI_ORDER_RAR | FI_ORDER_RAW | FI_ORDER_RAS | FI_ORDER_WAR |
                                        FI_ORDER_WAW | FI_ORDER_WAS | FI_ORDER_SAR | FI_ORDER_SAW |
                                        FI_ORDER_SAS;
constexpr std::uint64_t kOperationFlags = FI_COMPLETION | FI_INJECT_COMPLETE |
                                          FI_TRANSMIT_COMPLETE | FI_INJECT | FI_MULTI_RECV |
                                          FI_REMOTE_CQ_DATA;

template <class T>
T* make_zeroed() {
    return static_cast<T*>(std::calloc(1, sizeof(T) + kRoomForNewerFields));
}

bool acceptable(const fi_info& hints, std::size_t inject_bytes) {
    if ((hints.caps & ~kCapabilities) != 0) return false;
    if (hints.addr_format != FI_FORMAT_UNSPEC) return false;
    if (const fi_ep_attr* endpoint = hints.ep_attr) {
        if (endpoint->type != FI_EP_UNSPEC && endpoint->type != FI_EP_RDM) return false;
        if (endpoint->tx_ctx_cnt > 1 || endpoint->rx_ctx_cnt > 1) return false;
    }
    if (const fi_tx_attr* send = hints.tx_attr) {
        if ((send->msg_order & ~kMessageOrder) != 0) return false;
        if (send->inject_size > inject_bytes || send->iov_limit > transport::kMaxSegments)
            return false;
    }
    const fi_fabric_attr* fabric = hints.fabric_attr;
    if (fabric != nullptr && fabric->name != nullptr &&
        std::strcmp(fabric->name, kProviderName) != 0)
        return false;
    const fi_domain_attr* domain = hints.domain_attr;
    return domain == nullptr || domain->name == nullptr ||
           std::strcmp(domain->name, kProviderName) == 0;
}

void describe_endpoint(fi_ep_attr& endpoint, const fi_ep_attr* hints) {
    endpoint.type = FI_EP_RDM;
    endpoint.protocol = FI_PROTO_UNSPEC;
    endpoint.protocol_version = 1;
    endpoint.max_msg_size = SIZE_MAX / 2;
    endpoint.max_order_raw_size = SIZE_MAX / 2;
    endpoint.max_order_war_size = SIZE_MAX / 2;
    endpoint.max_order_waw_size = SIZE_MAX / 2;
    endpoint.mem_tag_format = hints != nullptr && hints->mem_tag_format != 0
                                  ? hints->mem_tag_format
                                  : 0xAAAAAAAAAAAAAAAAULL;  // all 64 bits are the caller's
    endpoint.tx_ctx_cnt = 1;
    endpoint.rx_ctx_cnt = 1;
}

void describe_domain(fi_domain_attr& domain, const fi_domain_attr* hints) {
    domain.name = ::strdup(kProviderName);
    // MPICH insists on reading back the threading it asked for; nothing here depends on it, since
    // the PMPI shim never lets two threads of a rank call at once.
    const bool threading = hints != nullptr && hints->threading != FI_THREAD_UNSPEC;
    domain.threading = threading ? hints->threading : FI_THREAD_DOMAIN;
    domain.control_progress = FI_PROGRESS_MANUAL;
    domain.data_progress = FI_PROGRESS_MANUAL;
    domain.resource_mgmt = FI_RM_ENABLED;
    const bool kind = hints != nullptr && hints->av_type != FI_AV_UNSPEC;
    domain.av_type = kind ? hints->av_type : FI_AV_TABLE;
    domain.mr_mode = 0;
    domain.mr_key_size = 8;
    domain.cq_data_size = 8;
    domain.cq_cnt = 1024;
    domain.ep_cnt = 1;
    domain.tx_ctx_cnt = 1;
    domain.rx_ctx_cnt = 1;
    domain.max_ep_tx_ctx = 1;
    domain.max_ep_rx_ctx = 1;
    domain.cntr_cnt = 1024;
    domain.mr_iov_limit = 1;
    domain.mr_cnt = SIZE_MAX;
    domain.caps = FI_LOCAL_COMM | FI_REMOTE_COMM;
    domain.max_err_data = 0;
}

void describe_send(fi_tx_attr& send, const fi_tx_attr* hints, std::uint64_t caps,
                   std::size_t inject_bytes) {
    send.caps = caps & (FI_MSG | FI_TAGGED | FI_SEND | FI_RMA | FI_READ | FI_WRITE | FI_ATOMIC);
    send.msg_order = kMessageOrder;
    // Delivery-complete is dropped: it would cost every message a round trip.
    send.op_flags = hints != nullptr ? hints->op_flags & kOperationFlags : 0;
    send.comp_order = FI_ORDER_NONE;
    send.inject_size = inject_bytes;
    send.size = 1 << 16;
    send.iov_limit = transport::kMaxSegments;
    send.rma_iov_limit = 1;
}

void describe_receive(fi_rx_attr& receive, const fi_rx_attr* hints, std::uint64_t caps) {
    receive.caps = caps & (FI_MSG | FI_TAGGED | FI_RECV | FI_MULTI_RECV | FI_DIRECTED_RECV |
                           FI_RMA | FI_REMOTE_READ | FI_REMOTE_WRITE | FI_ATOMIC | FI_SOURCE);
    receive.msg_order = kMessageOrder;
    receive.op_flags = hints != nullptr ? hints->op_flags & kOperationFlags : 0;
    receive.comp_order = FI_ORDER_NONE;
    receive.size = 1 << 16;
    receive.iov_limit = transport::kMaxSegments;
}

}  // namespace

fi_info* make_info(std::uint32_t version, const fi_info* hints, std::size_t inject_bytes) {
    if (hints != nullptr && !acceptable(*hints, inject_bytes)) return nullptr;
    auto* info = make_zeroed<fi_info>();
    info->caps = hints != nullptr && hints->caps != 0 ? hints->caps | FI_LOCAL_COMM | FI_REMOTE_COMM
                                                      : kCapabilities;
    info->addr_format = FI_FORMAT_UNSPEC;
    info->ep_attr = make_zeroed<fi_ep_attr>();
    info->domain_attr = make_zeroed<fi_domain_attr>();
    info->tx_attr = make_zeroed<fi_tx_attr>();
    info->rx_attr = make_zeroed<fi_rx_attr>();
    info->fabric_attr = make_zeroed<fi_fabric_attr>();
    describe_endpoint(*info->ep_attr, hints != nullptr ? hints->ep_attr : nullptr);
    describe_domain(*info->domain_attr, hints != nullptr ? hints->domain_attr : nullptr);
    describe_send(*info->tx_attr, hints != nullptr ? hints->tx_attr : nullptr, info->caps,
                  inject_bytes);
    describe_receive(*info->rx_attr, hints != nullptr ? hints->rx_attr : nullptr, info->caps);
    // prov_name is the host's to set.
    info->fabric_attr->name = ::strdup(kProviderName);
    info->fabric_attr->prov_version = FI_VERSION(0, 1);
    info->fabric_attr->api_version = version;
    return info;
}

}  // namespace kumi::provider
