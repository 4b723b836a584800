#include "provider/objects.hpp"

#include <cstdlib>
#include <cstring>

namespace kumi::provider {

namespace {

bool is_open_mpi() { return std::getenv("OMPI_COMM_WORLD_RANK") != nullptr; }

/// How often the MPI library finds nothing before it really waits, unless its call does nothing
/// else. MPICH looks a second time, since the first look may have moved one of its own schedules
/// on; with one, its collectives and probes sleep too early. KUMI_EMPTY_POLLS=many shows whether
/// that is enough: results are the same then.
transport::EmptyPolls empty_polls() {
    transport::EmptyPolls polls;
    if (!is_open_mpi()) polls.of_library = 2;
    const char* wish = std::getenv("KUMI_EMPTY_POLLS");
    if (wish != nullptr && std::strcmp(wish, "many") == 0) polls.factor = 16;
    return polls;
}

/// What is known of the present MPI call. Open MPI has steps of its own to go in any.
ShimTable known_calls(const Domain& domain) {
    ShimTable shim = domain.shim;
    if (is_open_mpi()) shim.waits_for_messages = nullptr;
    return shim;
}

}  // namespace

Endpoint::Endpoint(Domain& the_domain, const fi_info& info)
    : domain(the_domain),
      transport(the_domain.port, *this, empty_polls(), known_calls(the_domain)) {
    if (info.tx_attr != nullptr) send_flags = info.tx_attr->op_flags;
    if (info.rx_attr != nullptr) receive_flags = info.rx_attr->op_flags;
    handle.endpoint = this;
}

void Endpoint::complete(const transport::Completion& completion) {
    const bool received = completion.operation == transport::Completion::Operation::kReceive;
    CompletionQueue* queue = received ? receive_queue : send_queue;
    if (queue != nullptr) queue->entries.add(completion);
}

void Endpoint::count_remote_access(transport::Completion::Operation operation) {
    Counter* counter =
        operation == transport::Completion::Operation::kRead ? read_counter : write_counter;
    if (counter != nullptr) ++counter->value;
}

ssize_t Endpoint::start_send(fi_addr_t target, const transport::Buffer& buffer, void* context,
                             const transport::SendOptions& options) {
    transport.send(addresses->rank_of(target), buffer, context, options);
    return 0;
}

ssize_t Endpoint::start_inject(fi_addr_t target, const void* base, std::size_t size_bytes,
                               transport::SendOptions options) {
    options.wants_completion = false;
    return start_send(target, constant_buffer(base, size_bytes), nullptr, options);
}

ssize_t Endpoint::start_receive(const matching::Pattern& pattern, const transport::Buffer& buffer,
                                void* context, bool tagged, std::uint64_t flags) {
    if ((flags & FI_PEEK) != 0) {
        transport.peek(pattern, context, tagged, (flags & FI_CLAIM) != 0);
        return 0;
    }
    if ((flags & FI_CLAIM) != 0) {
        const bool discard = (flags & FI_DISCARD) != 0;
        return transport.receive_claimed(buffer, context, discard) ? 0 : -FI_EINVAL;
    }
    transport::ReceiveOptions options{.tagged = tagged,
                                      .wants_completion = receive_completes(flags),
                                      .multi = !tagged && (flags & FI_MULTI_RECV) != 0,
                                      .multi_minimum = multi_minimum};
    if (options.multi && buffer.count != 1) return -FI_EINVAL;
    transport.receive(pattern, buffer, context, options);
    return 0;
}

namespace {

/// All that arrives for a rank goes into one inbox, which only one endpoint can empty.
Endpoint* the_endpoint = nullptr;

int close_endpoint(fid* object) {
    Endpoint& endpoint = endpoint_of(object);
    for (CompletionQueue* queue : {endpoint.send_queue, endpoint.receive_queue})
        if (queue != nullptr) queue->endpoint = nullptr;
    for (Counter* counter : {endpoint.read_counter, endpoint.write_counter})
        if (counter != nullptr) counter->endpoint = nullptr;
    delete &endpoint;
    the_endpoint = nullptr;
    return 0;
}

void bind_queue(Endpoint& endpoint, CompletionQueue& queue, std::uint64_t flags) {
    queue.endpoint = &endpoint;
    const bool selective = (flags & FI_SELECTIVE_COMPLETION) != 0;
    if ((flags & FI_TRANSMIT) != 0) {
        endpoint.send_queue = &queue;
        endpoint.send_selective = selective;
    }
    if ((flags & FI_RECV) != 0) {
        endpoint.receive_queue = &queue;
        endpoint.receive_selective = selective;
    }
}

int bind(fid* object, fid* other, std::uint64_t flags) {
    Endpoint& endpoint = endpoint_of(object);
    switch (other->fclass) {
        case FI_CLASS_AV:
            endpoint.addresses = &object_of<AddressVector>(other);
            return 0;
        case FI_CLASS_CQ:
            bind_queue(endpoint, object_of<CompletionQueue>(other), flags);
            return 0;
        case FI_CLASS_CNTR: {
            auto& counter = object_of<Counter>(other);
            counter.endpoint = &endpoint;
            if ((flags & FI_READ) != 0) endpoint.read_counter = &counter;
            if ((flags & FI_WRITE) != 0) endpoint.write_counter = &counter;
            return 0;
        }
        case FI_CLASS_EQ:
            return 0;
        default:
            return -FI_ENOSYS;
    }
}

int control(fid* object, int command, void* argument) {
    Endpoint& endpoint = endpoint_of(object);
    switch (command) {
        case FI_ENABLE:
            return endpoint.addresses != nullptr ? 0 : -FI_ENOAV;
        case FI_GETOPSFLAG: {
            auto* flags = static_cast<std::uint64_t*>(argument);
            *flags = (*flags & FI_RECV) != 0 ? endpoint.receive_flags : endpoint.send_flags;
            return 0;
        }
        case FI_SETOPSFLAG: {
            const std::uint64_t flags = *static_cast<std::uint64_t*>(argument);
            if ((flags & FI_TRANSMIT) != 0) endpoint.send_flags = flags & ~FI_TRANSMIT;
            if ((flags & FI_RECV) != 0) endpoint.receive_flags = flags & ~FI_RECV;
            return 0;
        }
        default:
            return -FI_ENOSYS;
    }
}

ssize_t cancel(fid_t object, void* context) {
    // MPICH looks at the completion, Open MPI at this value.
    return endpoint_of(object).transport.cancel(context) ? 0 : -FI_ENOENT;
}

int get_option(fid_t object, int level, int name, void* value, std::size_t* size_bytes) {
    if (level != FI_OPT_ENDPOINT || name != FI_OPT_MIN_MULTI_RECV) return -FI_ENOPROTOOPT;
    if (*size_bytes < sizeof(std::size_t)) return -FI_ETOOSMALL;
    *static_cast<std::size_t*>(value) = endpoint_of(object).multi_minimum;
    *size_bytes = sizeof(std::size_t);
    return 0;
}

int set_option(fid_t object, int level, int name, const void* value, std::size_t size_bytes) {
    if (level != FI_OPT_ENDPOINT || name != FI_OPT_MIN_MULTI_RECV) return -FI_ENOPROTOOPT;
    if (size_bytes != sizeof(std::size_t)) return -FI_EINVAL;
    endpoint_of(object).multi_minimum = *static_cast<const std::size_t*>(value);
    return 0;
}

ssize_t room_left(fid_ep*) { return 1 << 16; }

int get_name(fid_t object, void* into, std::size_t* size_bytes) {
    RankAddress address{.rank = endpoint_of(object).domain.port.rank()};
    const std::size_t room = *size_bytes;
    *size_bytes = sizeof address;
    if (into == nullptr || room < sizeof address) return -FI_ETOOSMALL;
    std::memcpy(into, &address, sizeof address);
    return 0;
}

constinit fi_ops object_operations = operations_of_object(close_endpoint, bind, control);

fi_ops_ep endpoint_operations = {
    .size = sizeof(fi_ops_ep),
    .cancel = cancel,
    .getopt = get_option,
    .setopt = set_option,
    .tx_ctx = refuse,
    .rx_ctx = refuse,
    .rx_size_left = room_left,
    .tx_size_left = room_left,
};

fi_ops_cm connection_operations = {
    .size = sizeof(fi_ops_cm),
    .setname = refuse,
    .getname = get_name,
    .getpeer = refuse,
    .connect = refuse,
    .listen = refuse,
    .accept = refuse,
    .reject = refuse,
    .shutdown = refuse,
    .join = refuse,
};

}  // namespace

int open_endpoint(fid_domain* domain, fi_info* info, fid_ep** endpoint, void* context) {
    if (the_endpoint != nullptr) return -FI_EBUSY;
    auto* made = new Endpoint(object_of<Domain>(domain), *info);
    the_endpoint = made;
    fid_ep& fid = made->handle.fid;
    begin_object(fid.fid, FI_CLASS_EP, context, object_operations);
    fid.ops = &endpoint_operations;
    fid.cm = &connection_operations;
    fid.msg = &message_operations;
    fid.rma = &remote_access_operations;
    fid.tagged = &tagged_operations;
    fid.atomic = &atomic_operations;
    fid.collective = nullptr;
    *endpoint = &fid;
    return 0;
}

}  // namespace kumi::provider
