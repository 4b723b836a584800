// Atomics are offered, because MPICH asks for the capability, but none is valid: MPI libraries then
// send active messages for accumulates.

#include "provider/objects.hpp"

namespace kumi::provider {
namespace {

int none_valid(fid_ep*, fi_datatype, fi_op, std::size_t*) { return -FI_EOPNOTSUPP; }

}  // namespace

fi_ops_atomic atomic_operations = {
    .size = sizeof(fi_ops_atomic),
    .write = nullptr,
    .writev = nullptr,
    .writemsg = nullptr,
    .inject = nullptr,
    .readwrite = nullptr,
    .readwritev = nullptr,
    .readwritemsg = nullptr,
    .compwrite = nullptr,
    .compwritev = nullptr,
    .compwritemsg = nullptr,
    .writevalid = none_valid,
    .readwritevalid = none_valid,
    .compwritevalid = none_valid,
};

}  // namespace kumi::provider
