#include <algorithm>
#include <cstdio>
#include <cstring>

#include "provider/objects.hpp"

namespace kumi::provider {

fi_addr_t AddressVector::address_of(std::uint32_t rank) const {
    // Nearly always the addresses were inserted in order of the ranks.
    if (rank < ranks.size() && ranks[rank] == rank) return rank;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        if (ranks[i] == rank) return i;
    return FI_ADDR_NOTAVAIL;
}

namespace {

int insert(fid_av* object, const void* addresses, std::size_t count, fi_addr_t* inserted,
           std::uint64_t, void*) {
    auto& av = object_of<AddressVector>(object);
    int good = 0;
    for (std::size_t i = 0; i < count; ++i) {
        RankAddress address;
        std::memcpy(&address, static_cast<const char*>(addresses) + i * sizeof address,
                    sizeof address);
        const bool known = address.magic == RankAddress::kMagic && address.rank < av.rank_count;
        if (inserted != nullptr) inserted[i] = known ? av.ranks.size() : FI_ADDR_NOTAVAIL;
        if (!known) continue;
        av.ranks.push_back(address.rank);
        ++good;
    }
    return good;
}

int remove(fid_av*, fi_addr_t*, std::size_t, std::uint64_t) {
    return 0;  // numbers of other addresses must not change: the entry stays
}

int look_up(fid_av* object, fi_addr_t address, void* into, std::size_t* size_bytes) {
    const auto& av = object_of<AddressVector>(object);
    if (address >= av.ranks.size()) return -FI_EINVAL;
    RankAddress found{.rank = av.ranks[address]};
    std::memcpy(into, &found, std::min(*size_bytes, sizeof found));
    *size_bytes = sizeof found;
    return 0;
}

const char* print(fid_av*, const void* address, char* text, std::size_t* size_bytes) {
    RankAddress printed;
    std::memcpy(&printed, address, sizeof printed);
    const int length = std::snprintf(text, *size_bytes, "kumi://rank%u", printed.rank);
    *size_bytes = static_cast<std::size_t>(length) + 1;
    return text;
}

constinit fi_ops object_operations = operations_of_object(close_object<AddressVector>);

fi_ops_av av_operations = {
    .size = sizeof(fi_ops_av),
    .insert = insert,
    .insertsvc = refuse,
    .insertsym = refuse,
    .remove = remove,
    .lookup = look_up,
    .straddr = print,
    .av_set = refuse,
};

}  // namespace

int open_address_vector(fid_domain* domain, fi_av_attr*, fid_av** av, void* context) {
    auto* made = new AddressVector();
    made->rank_count = object_of<Domain>(domain).port.rank_count();
    begin_object(made->fid.fid, FI_CLASS_AV, context, object_operations);
    made->fid.ops = &av_operations;
    *av = &made->fid;
    return 0;
}

}  // namespace kumi::provider
