// Memory regions. The key is the caller's choice; remote offsets count from the region's start.

#include "provider/objects.hpp"

namespace kumi::provider {
namespace {

int close_region(fid* object) {
    auto& region = object_of<MemoryRegion>(object);
    region.domain->port.withdraw(region.fid.key);
    delete &region;
    return 0;
}

int accept_bind(fid*, fid*, std::uint64_t) { return 0; }
int accept_control(fid*, int command, void*) { return command == FI_ENABLE ? 0 : -FI_ENOSYS; }

constinit fi_ops object_operations =
    operations_of_object(close_region, accept_bind, accept_control);

int reg(fid* object, const void* base, std::size_t size_bytes, std::uint64_t, std::uint64_t,
        std::uint64_t key, std::uint64_t, fid_mr** region, void* context) {
    auto& domain = object_of<Domain>(object);
    auto* made = new MemoryRegion();
    made->domain = &domain;
    begin_object(made->fid.fid, FI_CLASS_MR, context, object_operations);
    made->fid.mem_desc = made;
    made->fid.key = key;
    domain.port.expose(key, reinterpret_cast<std::uint64_t>(base), size_bytes);
    *region = &made->fid;
    return 0;
}

int regv(fid* object, const iovec* segments, std::size_t count, std::uint64_t access,
         std::uint64_t offset, std::uint64_t key, std::uint64_t flags, fid_mr** region,
         void* context) {
    if (count != 1) return -FI_EINVAL;
    return reg(object, segments[0].iov_base, segments[0].iov_len, access, offset, key, flags,
               region, context);
}

int regattr(fid* object, const fi_mr_attr* attributes, std::uint64_t flags, fid_mr** region) {
    return regv(object, attributes->mr_iov, attributes->iov_count, attributes->access,
                attributes->offset, attributes->requested_key, flags, region, attributes->context);
}

}  // namespace

fi_ops_mr memory_region_operations = {
    .size = sizeof(fi_ops_mr),
    .reg = reg,
    .regv = regv,
    .regattr = regattr,
};

}  // namespace kumi::provider
