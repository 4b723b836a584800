#include "provider/objects.hpp"

namespace kumi::provider {
namespace {

constinit fi_ops object_operations = operations_of_object(close_object<Fabric>);

fi_ops_fabric fabric_operations = {
    .size = sizeof(fi_ops_fabric),
    .domain = open_domain,
    .passive_ep = refuse,
    .eq_open = refuse,
    .wait_open = refuse,
    .trywait = refuse,
    .domain2 = nullptr,
};

}  // namespace

int open_fabric(fi_fabric_attr*, fid_fabric** fabric, void* context) {
    auto* made = new Fabric();
    begin_object(made->fid.fid, FI_CLASS_FABRIC, context, object_operations);
    made->fid.ops = &fabric_operations;
    *fabric = &made->fid;
    return 0;
}

}  // namespace kumi::provider
