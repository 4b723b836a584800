// The provider as libfabric loads it.

#include <cstdlib>

#include <rdma/providers/fi_prov.h>

#include "base/seed_protocol.hpp"
#include "provider/attr.hpp"
#include "provider/objects.hpp"

namespace kumi::provider {
namespace {

/// libfabric's internal flag "core providers only": it looks for something to layer upon.
constexpr std::uint64_t kCoreProvidersOnly = std::uint64_t{1} << 59;

int get_info(std::uint32_t version, const char*, const char*, std::uint64_t flags,
             const fi_info* hints, fi_info** info) {
    if ((flags & kCoreProvidersOnly) != 0) return -FI_ENODATA;
    // Every rank will be a copy of this process, which is none.
    if (std::getenv(kSeedVariable) != nullptr) return -FI_ENODATA;
    const conductor::RankProcess* process = conductor::RankProcess::attach();
    if (process == nullptr) return -FI_ENODATA;
    const conductor::RunConfiguration& run = process->configuration();
    *info = make_info(version, hints,
                      inject_limit(run.endpoint.eager_limit_bytes,
                                   run.endpoint.sends_complete_delivered || run.records_calls));
    return *info != nullptr ? 0 : -FI_ENODATA;
}

void clean_up() {}

fi_provider describe_provider() {
    fi_provider provider{};
    provider.version = FI_VERSION(0, 1);
    // At least what any host asks for: older hosts look at the fields they know.
    provider.fi_version = FI_VERSION(9, 17);
    provider.name = kProviderName;
    provider.getinfo = get_info;
    provider.fabric = open_fabric;
    provider.cleanup = clean_up;
    return provider;
}

}  // namespace
}  // namespace kumi::provider

/// What libfabric calls after loading the library.
extern "C" __attribute__((visibility("default"))) fi_provider* fi_prov_ini(void) {
    static fi_provider provider = kumi::provider::describe_provider();
    return &provider;
}
