#include "provider/objects.hpp"

namespace kumi::provider {
namespace {

std::uint64_t read(fid_cntr* object) {
    auto& counter = object_of<Counter>(object);
    if (counter.endpoint != nullptr) counter.endpoint->transport.progress();
    return counter.value;
}

std::uint64_t read_errors(fid_cntr* object) { return object_of<Counter>(object).errors; }

template <std::uint64_t Counter::* kCount>
int add(fid_cntr* object, std::uint64_t value) {
    object_of<Counter>(object).*kCount += value;
    return 0;
}

template <std::uint64_t Counter::* kCount>
int set(fid_cntr* object, std::uint64_t value) {
    object_of<Counter>(object).*kCount = value;
    return 0;
}

int wait(fid_cntr* object, std::uint64_t threshold, int timeout_ms) {
    auto& counter = object_of<Counter>(object);
    while (read(object) < threshold) {
        if (timeout_ms == 0) return -FI_ETIMEDOUT;
        if (counter.endpoint == nullptr) return -FI_EINVAL;
        counter.endpoint->transport.note_empty_poll();
    }
    return 0;
}

int close_counter(fid* object) {
    auto& counter = object_of<Counter>(object);
    if (counter.endpoint != nullptr) {
        if (counter.endpoint->read_counter == &counter) counter.endpoint->read_counter = nullptr;
        if (counter.endpoint->write_counter == &counter) counter.endpoint->write_counter = nullptr;
    }
    delete &counter;
    return 0;
}

constinit fi_ops object_operations = operations_of_object(close_counter);

fi_ops_cntr counter_operations = {
    .size = sizeof(fi_ops_cntr),
    .read = read,
    .readerr = read_errors,
    .add = add<&Counter::value>,
    .set = set<&Counter::value>,
    .wait = wait,
    .adderr = add<&Counter::errors>,
    .seterr = set<&Counter::errors>,
};

}  // namespace

int open_counter(fid_domain*, fi_cntr_attr*, fid_cntr** counter, void* context) {
    auto* made = new Counter();
    begin_object(made->fid.fid, FI_CLASS_CNTR, context, object_operations);
    made->fid.ops = &counter_operations;
    *counter = &made->fid;
    return 0;
}

}  // namespace kumi::provider
