#include <cstdio>

#include "provider/objects.hpp"

namespace kumi::provider {
namespace {

std::uint64_t flags_of(const transport::Completion& completion) {
    std::uint64_t flags = completion.tagged ? FI_TAGGED : 0;
    switch (completion.operation) {
        case transport::Completion::Operation::kSend:
            flags |= FI_SEND | (completion.tagged ? 0 : FI_MSG);
            break;
        case transport::Completion::Operation::kReceive:
            flags |= FI_RECV | (completion.tagged ? 0 : FI_MSG);
            break;
        case transport::Completion::Operation::kRead:
            flags = FI_RMA | FI_READ;
            break;
        case transport::Completion::Operation::kWrite:
            flags = FI_RMA | FI_WRITE;
            break;
    }
    if (completion.has_data) flags |= FI_REMOTE_CQ_DATA;
    if (completion.buffer_released) flags |= FI_MULTI_RECV;
    return flags;
}

void* store(void* place, fi_cq_format format, const transport::Completion& completion) {
    const fi_cq_tagged_entry entry{completion.context, flags_of(completion), completion.size_bytes,
                                   completion.buffer,  completion.data,      completion.tag};
    switch (format) {
        case FI_CQ_FORMAT_CONTEXT:
            *static_cast<fi_cq_entry*>(place) = {entry.op_context};
            return static_cast<fi_cq_entry*>(place) + 1;
        case FI_CQ_FORMAT_MSG:
            *static_cast<fi_cq_msg_entry*>(place) = {entry.op_context, entry.flags, entry.len};
            return static_cast<fi_cq_msg_entry*>(place) + 1;
        case FI_CQ_FORMAT_DATA:
            *static_cast<fi_cq_data_entry*>(place) = {entry.op_context, entry.flags, entry.len,
                                                      entry.buf, entry.data};
            return static_cast<fi_cq_data_entry*>(place) + 1;
        case FI_CQ_FORMAT_UNSPEC:
        case FI_CQ_FORMAT_TAGGED:
            break;
    }
    *static_cast<fi_cq_tagged_entry*>(place) = entry;
    return static_cast<fi_cq_tagged_entry*>(place) + 1;
}

/// Looks, and lets the rank wait if that found nothing and its MPI call may.
void look(CompletionQueue& cq) {
    if (cq.endpoint == nullptr) return;
    cq.endpoint->transport.poll([&cq] { return !cq.entries.empty(); });
}

/// FI_ADDR_NOTAVAIL for what was not received, and for ranks whose address was never inserted.
fi_addr_t source_of(const CompletionQueue& cq, const transport::Completion& completion) {
    const bool received = completion.operation == transport::Completion::Operation::kReceive;
    if (!received || cq.endpoint == nullptr) return FI_ADDR_NOTAVAIL;
    return cq.endpoint->addresses->address_of(completion.source);
}

void note_read(CompletionQueue& cq, const transport::Completion& completion) {
    if (completion.logged != 0 && cq.endpoint != nullptr)
        cq.endpoint->transport.note_read(completion);
}

ssize_t read_from(fid_cq* object, void* buffer, std::size_t count, fi_addr_t* sources) {
    auto& cq = object_of<CompletionQueue>(object);
    look(cq);
    std::size_t done = 0;
    while (done < count && !cq.entries.empty()) {
        const transport::Completion& completion = cq.entries.front();
        if (completion.status != transport::Completion::Status::kOk) break;
        buffer = store(buffer, cq.format, completion);
        if (sources != nullptr) sources[done] = source_of(cq, completion);
        note_read(cq, completion);
        cq.entries.pop_front();
        ++done;
    }
    if (done > 0) return static_cast<ssize_t>(done);
    return cq.entries.empty() ? -FI_EAGAIN : -FI_EAVAIL;
}

ssize_t read(fid_cq* object, void* buffer, std::size_t count) {
    return read_from(object, buffer, count, nullptr);
}

int error_of(transport::Completion::Status status) {
    switch (status) {
        case transport::Completion::Status::kTruncated:
            return FI_ETRUNC;
        case transport::Completion::Status::kCancelled:
            return FI_ECANCELED;
        case transport::Completion::Status::kNoMessage:
            return FI_ENOMSG;
        case transport::Completion::Status::kOk:
            break;
    }
    return 0;
}

ssize_t read_error(fid_cq* object, fi_cq_err_entry* entry, std::uint64_t) {
    auto& cq = object_of<CompletionQueue>(object);
    if (cq.entries.empty() || cq.entries.front().status == transport::Completion::Status::kOk)
        return -FI_EAGAIN;
    const transport::Completion completion = cq.entries.front();
    note_read(cq, completion);
    cq.entries.pop_front();
    // Field by field: the caller's structure may be shorter than ours.
    entry->op_context = completion.context;
    entry->flags = flags_of(completion);
    entry->len = completion.size_bytes;
    entry->buf = completion.buffer;
    entry->data = completion.data;
    entry->tag = completion.tag;
    entry->olen = completion.missing_bytes;
    entry->err = error_of(completion.status);
    entry->prov_errno = entry->err;
    entry->err_data_size = 0;
    return 1;
}

ssize_t read_and_wait_from(fid_cq* object, void* buffer, std::size_t count, fi_addr_t* sources,
                           const void*, int timeout_ms) {
    for (;;) {
        const ssize_t done = read_from(object, buffer, count, sources);
        if (done != -FI_EAGAIN || timeout_ms == 0) return done;
    }
}

ssize_t read_and_wait(fid_cq* object, void* buffer, std::size_t count, const void* condition,
                      int timeout_ms) {
    return read_and_wait_from(object, buffer, count, nullptr, condition, timeout_ms);
}

const char* describe_error(fid_cq*, int error, const void*, char* text, std::size_t size_bytes) {
    const char* words = error == FI_ETRUNC      ? "message longer than its receive"
                        : error == FI_ECANCELED ? "receive cancelled"
                        : error == FI_ENOMSG    ? "no such message has arrived"
                                                : "unknown error";
    if (text != nullptr && size_bytes > 0) std::snprintf(text, size_bytes, "%s", words);
    return words;
}

int close_cq(fid* object) {
    auto& cq = object_of<CompletionQueue>(object);
    if (cq.endpoint != nullptr) {
        if (cq.endpoint->send_queue == &cq) cq.endpoint->send_queue = nullptr;
        if (cq.endpoint->receive_queue == &cq) cq.endpoint->receive_queue = nullptr;
    }
    delete &cq;
    return 0;
}

constinit fi_ops object_operations = operations_of_object(close_cq);

fi_ops_cq cq_operations = {
    .size = sizeof(fi_ops_cq),
    .read = read,
    .readfrom = read_from,
    .readerr = read_error,
    .sread = read_and_wait,
    .sreadfrom = read_and_wait_from,
    .signal = refuse,
    .strerror = describe_error,
};

}  // namespace

int open_completion_queue(fid_domain*, fi_cq_attr* attributes, fid_cq** cq, void* context) {
    if (attributes->wait_obj != FI_WAIT_NONE && attributes->wait_obj != FI_WAIT_UNSPEC)
        return -FI_ENOSYS;
    auto* made = new CompletionQueue();
    made->format =
        attributes->format == FI_CQ_FORMAT_UNSPEC ? FI_CQ_FORMAT_TAGGED : attributes->format;
    begin_object(made->fid.fid, FI_CLASS_CQ, context, object_operations);
    made->fid.ops = &cq_operations;
    *cq = &made->fid;
    return 0;
}

}  // namespace kumi::provider
