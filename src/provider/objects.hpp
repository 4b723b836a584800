#pragma once

#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <rdma/fi_tagged.h>

#include <cstdint>
#include <vector>

#include "base/check.hpp"
#include "conductor/port/endpoint_port.hpp"
#include "transport/transport.hpp"

namespace kumi::provider {

// The provider's objects. Each begins with the structure that libfabric's callers hold, so that a
// pointer to one is a pointer to the other (standard layout is not needed for that cast to work
// with the compilers in use, and each object's first member is checked where it is made).

struct Fabric {
    fid_fabric fid{};
};

/// Access to the run, and the memory that others may reach.
struct Domain {
    Domain(conductor::RankProcess& process, const ShimTable& the_shim)
        : port(process), shim(the_shim) {}
    fid_domain fid{};
    conductor::EndpointPort port;
    const ShimTable shim;
};

/// The ranks that this process talks to, in order of insertion.
struct AddressVector {
    fid_av fid{};
    std::uint32_t rank_count = 0;  ///< Of the run.
    std::vector<std::uint32_t> ranks;

    std::uint32_t rank_of(fi_addr_t address) const {
        KUMI_ASSERT(address < ranks.size(), "an address that was never inserted");
        return ranks[address];
    }
    fi_addr_t address_of(std::uint32_t rank) const;
};

struct Endpoint;

/// Completions in the order in which they happened, but those of synchronous messages first: MPICH
/// reads eight at once, and looks after that whether its call may end. It must have answered what
/// has arrived until then, however many other messages have ended since it read last: that depends
/// on whether its process was resumed for each of them. As often as the list is empty, it begins
/// again at the same place in memory.
class CompletionList {
   public:
    bool empty() const { return x_unread == 0; }
    const transport::Completion& front() const { return x_entries[x_first]; }

    void add(const transport::Completion& completion) {
        // Never emptied, it must not grow without end, either.
        if (x_first >= kManyRead && 2 * x_first >= x_entries.size()) {
            x_entries.erase(x_entries.begin(),
                            x_entries.begin() + static_cast<std::ptrdiff_t>(x_first));
            x_first = 0;
        }
        if (completion.is_synchronous) {
            const std::size_t place = x_first + x_synchronous++;
            x_entries.insert(x_entries.begin() + static_cast<std::ptrdiff_t>(place), completion);
        } else {
            x_entries.push_back(completion);
        }
        ++x_unread;
    }

    void pop_front() {
        ++x_first;
        if (x_synchronous > 0) --x_synchronous;
        if (--x_unread > 0) return;
        x_entries.clear();
        x_first = 0;
    }

   private:
    static constexpr std::size_t kManyRead = 1024;

    std::vector<transport::Completion> x_entries;
    std::size_t x_first = 0;  ///< Those before it have been read.
    std::size_t x_unread = 0;
    std::size_t x_synchronous = 0;  ///< Of these, the first.
};

/// Completions for the MPI library. A caller that finds none lets the rank wait.
struct CompletionQueue {
    fid_cq fid{};
    fi_cq_format format = FI_CQ_FORMAT_TAGGED;
    Endpoint* endpoint = nullptr;
    CompletionList entries;
};

struct Counter {
    fid_cntr fid{};
    Endpoint* endpoint = nullptr;
    std::uint64_t value = 0;
    std::uint64_t errors = 0;
};

struct MemoryRegion {
    fid_mr fid{};
    Domain* domain = nullptr;
};

/// One reliable-datagram endpoint: the rank's transport, and where its completions go.
struct Endpoint final : transport::CompletionSink {
    Endpoint(Domain& the_domain, const fi_info& info);

    void complete(const transport::Completion& completion) override;
    void count_remote_access(transport::Completion::Operation operation) override;

    bool send_completes(std::uint64_t flags) const {
        return !send_selective || (flags & FI_COMPLETION) != 0;
    }
    bool receive_completes(std::uint64_t flags) const {
        return !receive_selective || (flags & FI_COMPLETION) != 0;
    }
    matching::Pattern pattern(fi_addr_t source, std::uint64_t tag, std::uint64_t ignore) const {
        const bool any = source == FI_ADDR_UNSPEC;
        return {any ? matching::kAnySource : addresses->rank_of(source), tag, ignore};
    }
    /// What a call's flags say of its send; tag and data are the caller's to add.
    transport::SendOptions send_options(std::uint64_t flags) const {
        return {.has_data = (flags & FI_REMOTE_CQ_DATA) != 0,
                .wants_completion = send_completes(flags),
                .buffer_reusable = (flags & FI_INJECT) != 0};
    }
    ssize_t start_send(fi_addr_t target, const transport::Buffer& buffer, void* context,
                       const transport::SendOptions& options);
    /// Sends what the caller may change at once, without a completion.
    ssize_t start_inject(fi_addr_t target, const void* base, std::size_t size_bytes,
                         transport::SendOptions options);
    /// Carries out a receive that may be a look at what has come (FI_PEEK) or take what an earlier
    /// one set aside (FI_CLAIM).
    ssize_t start_receive(const matching::Pattern& pattern, const transport::Buffer& buffer,
                          void* context, bool tagged, std::uint64_t flags);

    Domain& domain;
    transport::Transport transport;
    AddressVector* addresses = nullptr;
    CompletionQueue* send_queue = nullptr;
    CompletionQueue* receive_queue = nullptr;
    Counter* read_counter = nullptr;
    Counter* write_counter = nullptr;
    bool send_selective = false;
    bool receive_selective = false;
    std::uint64_t send_flags = 0;     ///< Of calls that carry none.
    std::uint64_t receive_flags = 0;  ///< Of calls that carry none.
    std::uint64_t multi_minimum = 64;

    struct Handle {
        fid_ep fid{};
        Endpoint* endpoint = nullptr;
    };
    Handle handle;
};

/// A rank's address as MPI processes exchange it.
struct RankAddress {
    static constexpr std::uint32_t kMagic = 0x4B554D49;
    std::uint32_t magic = kMagic;
    std::uint32_t rank = 0;
};

inline Endpoint& endpoint_of(fid_ep* fid) {
    return *reinterpret_cast<Endpoint::Handle*>(fid)->endpoint;
}
inline Endpoint& endpoint_of(fid* fid) {
    return *reinterpret_cast<Endpoint::Handle*>(fid)->endpoint;
}

template <class Object, class Fid>
Object& object_of(Fid* fid) {
    return *reinterpret_cast<Object*>(fid);
}

/// What is sent is not changed.
inline transport::Buffer constant_buffer(const void* base, std::size_t size_bytes) {
    return transport::Buffer::of(const_cast<void*>(base), size_bytes);
}

/// For objects with nothing to be done at their end.
template <class Object>
int close_object(fid* object) {
    delete &object_of<Object>(object);
    return 0;
}

// One function per object, each in the file of its name.
int open_fabric(fi_fabric_attr* attributes, fid_fabric** fabric, void* context);
int open_domain(fid_fabric* fabric, fi_info* info, fid_domain** domain, void* context);
int open_endpoint(fid_domain* domain, fi_info* info, fid_ep** endpoint, void* context);
int open_address_vector(fid_domain* domain, fi_av_attr* attributes, fid_av** av, void* context);
int open_completion_queue(fid_domain* domain, fi_cq_attr* attributes, fid_cq** cq, void* context);
int open_counter(fid_domain* domain, fi_cntr_attr* attributes, fid_cntr** counter, void* context);

extern fi_ops_msg message_operations;
extern fi_ops_tagged tagged_operations;
extern fi_ops_rma remote_access_operations;
extern fi_ops_atomic atomic_operations;
extern fi_ops_mr memory_region_operations;

/// For operations that make no sense here.
template <int kError = FI_ENOSYS, class Result, class... Arguments>
Result refuse(Arguments...) {
    return -kError;
}

/// What can be done with an object of any class.
constexpr fi_ops operations_of_object(decltype(fi_ops::close) close,
                                      decltype(fi_ops::bind) bind = refuse,
                                      decltype(fi_ops::control) control = refuse) {
    return {.size = sizeof(fi_ops),
            .close = close,
            .bind = bind,
            .control = control,
            .ops_open = refuse,
            .tostr = nullptr,
            .ops_set = nullptr};
}

inline void begin_object(fid& object, std::size_t object_class, void* context, fi_ops& operations) {
    object.fclass = object_class;
    object.context = context;
    object.ops = &operations;
}

}  // namespace kumi::provider
