#pragma once

#include <rdma/fabric.h>

#include <cstdint>

namespace kumi::provider {

inline constexpr const char* kProviderName = "kumi";
inline constexpr std::size_t kInjectBytes = 16 * 1024;
inline constexpr std::uint64_t kCapabilities =
    FI_MSG | FI_TAGGED | FI_SEND | FI_RECV | FI_MULTI_RECV | FI_DIRECTED_RECV | FI_LOCAL_COMM |
    FI_REMOTE_COMM | FI_RMA | FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE | FI_ATOMIC |
    FI_SOURCE;

/// A description of what is offered, shaped by the caller's hints (may be nullptr); nullptr if the
/// hints ask for something else. To be freed by the host's fi_freeinfo.
fi_info* make_info(std::uint32_t version, const fi_info* hints);

}  // namespace kumi::provider
