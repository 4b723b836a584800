#pragma once

#include <rdma/fabric.h>

#include <algorithm>
#include <cstdint>

namespace kumi::provider {

inline constexpr const char* kProviderName = "kumi";
inline constexpr std::uint64_t kCapabilities =
    FI_MSG | FI_TAGGED | FI_SEND | FI_RECV | FI_MULTI_RECV | FI_DIRECTED_RECV | FI_LOCAL_COMM |
    FI_REMOTE_COMM | FI_RMA | FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE | FI_ATOMIC |
    FI_SOURCE;

/// The largest message that an MPI library may hand over without waiting for it. What is injected
/// counts as sent at once, so it must not be more than the eager limit, or else a send that should
/// wait for its receiver would not; but MPICH's own headers always need some room. With
/// `sends_wait` every send should wait: so that completions come with the delivery, or so that a
/// record says which sends would wait with another eager limit.
constexpr std::size_t inject_limit(std::uint64_t eager_limit_bytes, bool sends_wait) {
    constexpr std::uint64_t kLeast = 512;
    if (sends_wait) return kLeast;
    return std::clamp<std::uint64_t>(eager_limit_bytes, kLeast, 16 * 1024);
}

/// A description of what is offered, shaped by the caller's hints (may be nullptr); nullptr if the
/// hints ask for something else. To be freed by the host's fi_freeinfo.
fi_info* make_info(std::uint32_t version, const fi_info* hints, std::size_t inject_bytes);

}  // namespace kumi::provider
