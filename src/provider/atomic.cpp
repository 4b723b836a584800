// Atomics are offered, because MPICH asks for the capability, but none is valid: MPI libraries then
// send active messages for accumulates.

#include "provider/objects.hpp"

namespace kumi::provider {

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
    .writevalid = refuse<FI_EOPNOTSUPP>,
    .readwritevalid = refuse<FI_EOPNOTSUPP>,
    .compwritevalid = refuse<FI_EOPNOTSUPP>,
};

}  // namespace kumi::provider
