#include "provider/shim.hpp"

#include <cstdio>

// Weak: the shim is preloaded, which the loader knows, and the linker does not.
extern "C" __attribute__((weak, visibility("default"))) const kumi::ShimTable* kumi_shim_table();

namespace kumi::provider {

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

}  // namespace kumi::provider
