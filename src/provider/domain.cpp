#include <cstdio>
#include <optional>

#include "base/shim_table.hpp"
#include "provider/objects.hpp"

// Weak: the shim is preloaded, which the loader knows, and the linker does not.
extern "C" __attribute__((weak, visibility("default"))) const kumi::ShimTable* kumi_shim_table();

namespace kumi::provider {
namespace {

/// What the shim of this process offers; a table of nothing if there is no shim, as in a program
/// that has its own communication library. If shim and provider are of different builds, ends the
/// run with a message and returns nothing.
std::optional<ShimTable> loaded_shim(conductor::RankProcess& process) {
    if (kumi_shim_table == nullptr) return ShimTable{};
    const ShimTable* table = kumi_shim_table();
    if (table->is_known()) return *table;
    char text[300];
    std::snprintf(text, sizeof text,
                  "libkumi-mpi and libkumi-fi are of different builds: the one hands over version "
                  "%u of its table (%u bytes), the other expects version %u (%zu bytes); build all "
                  "of Kumihimo again",
                  table->version, table->size_bytes, ShimTable::kVersion, sizeof(ShimTable));
    process.refuse(text);
    return std::nullopt;
}

constinit fi_ops object_operations = operations_of_object(close_object<Domain>);

fi_ops_domain domain_operations = {
    .size = sizeof(fi_ops_domain),
    .av_open = open_address_vector,
    .cq_open = open_completion_queue,
    .endpoint = open_endpoint,
    .scalable_ep = refuse,
    .cntr_open = open_counter,
    .poll_open = refuse,
    .stx_ctx = refuse,
    .srx_ctx = refuse,
    .query_atomic = refuse<FI_EOPNOTSUPP>,
    .query_collective = refuse<FI_EOPNOTSUPP>,
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
