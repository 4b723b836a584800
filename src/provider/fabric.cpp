#include "provider/objects.hpp"

namespace kumi::provider {
namespace {

int close_fabric(fid* object) {
    delete &object_of<Fabric>(object);
    return 0;
}

int refuse_passive_endpoint(fid_fabric*, fi_info*, fid_pep**, void*) { return -FI_ENOSYS; }
int refuse_event_queue(fid_fabric*, fi_eq_attr*, fid_eq**, void*) { return -FI_ENOSYS; }
int refuse_wait_set(fid_fabric*, fi_wait_attr*, fid_wait**) { return -FI_ENOSYS; }
int try_wait(fid_fabric*, fid**, int) { return -FI_ENOSYS; }

constinit fi_ops object_operations = operations_of_object(close_fabric);

fi_ops_fabric fabric_operations = {
    .size = sizeof(fi_ops_fabric),
    .domain = open_domain,
    .passive_ep = refuse_passive_endpoint,
    .eq_open = refuse_event_queue,
    .wait_open = refuse_wait_set,
    .trywait = try_wait,
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
