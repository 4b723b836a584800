#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <memory>

#include "matching/envelope.hpp"
#include "transport/head.hpp"

namespace kumi {

inline constexpr std::size_t kMaxSegments = 8;

/// A scattered buffer of the caller's: up to kMaxSegments pieces, most often one. The rest of the
/// array is never touched.
struct Buffer {
    std::size_t count = 0;
    iovec segments[kMaxSegments];

    Buffer() {}  // NOLINT(modernize-use-equals-default): that would clear the array.
    Buffer(const Buffer& other) { *this = other; }
    Buffer& operator=(const Buffer& other) {
        count = other.count;
        for (std::size_t i = 0; i < count; ++i) segments[i] = other.segments[i];
        return *this;
    }

    static Buffer of(void* base, std::size_t size_bytes);
    /// Copies the descriptors; `count` must not exceed kMaxSegments.
    static Buffer of(const iovec* segments, std::size_t count);
    std::uint64_t size_bytes() const;
    /// Copies up to `size_bytes` in (scatter) or out (gather), from the buffer's start.
    void scatter(const std::byte* from, std::uint64_t size_bytes) const;
    void gather(std::byte* into, std::uint64_t size_bytes) const;
};

/// What is reported when an operation has ended. Mirrors a libfabric completion entry.
struct Completion {
    enum class Status : std::uint8_t { kOk, kTruncated, kCancelled, kNoMessage };
    enum class Operation : std::uint8_t { kSend, kReceive, kRead, kWrite };

    void* context = nullptr;
    Operation operation = Operation::kSend;
    Status status = Status::kOk;
    bool tagged = false;
    bool has_data = false;
    bool buffer_released = false;  ///< A multi-receive buffer is used up.
    std::uint32_t source = 0;
    std::uint64_t size_bytes = 0;     ///< Received.
    std::uint64_t missing_bytes = 0;  ///< Did not fit.
    std::uint64_t tag = 0;
    std::uint64_t data = 0;
    void* buffer = nullptr;  ///< Where in a multi-receive buffer the message lies.
};

/// Where the transport reports: the provider's completion queues and counters.
class CompletionSink {
   public:
    virtual ~CompletionSink() = default;
    /// An operation that was started with `wants_completion`, or that failed, has ended.
    virtual void complete(const Completion& completion) = 0;
    /// A read or write has ended, whether or not it wanted a completion.
    virtual void count_remote_access(Completion::Operation operation) = 0;
};

/// A receive that waits for its message, or for the payload of a message it has matched.
struct alignas(64) Receive {
    void* context = nullptr;
    bool tagged = true;
    bool wants_completion = true;
    bool discards = false;            ///< Wants the message gone, not its payload.
    bool multi = false;               ///< Takes message after message until too little is left.
    bool is_posted = false;           ///< Still waits for a message.
    std::uint32_t call = 0;           ///< The wire's call_number() in which it was posted.
    std::uint64_t multi_minimum = 0;  ///< Bytes below which a multi-receive buffer is given back.
    std::uint64_t multi_used = 0;
    std::uint32_t multi_slices = 0;      ///< Messages in it that are not complete yet.
    std::uint32_t multi_parent = kNone;  ///< Of a slice: the multi-receive buffer it lies in.
    Buffer buffer;

    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
};

/// What a receive is posted with.
struct ReceiveOptions {
    bool tagged = true;
    bool wants_completion = true;
    bool multi = false;
    std::uint64_t multi_minimum = 0;
};

/// A message that no receive was waiting for. It keeps its place on the wire until it is received.
struct Unexpected {
    Arrival arrival;
    Head head;
};

/// A large message whose receiver has not fetched it yet, or a remote access under way.
struct Origin {
    void* context = nullptr;
    bool wants_completion = false;
    bool tagged = false;
    Buffer buffer;                        ///< Where a read's data go.
    std::unique_ptr<std::byte[]> packed;  ///< Contiguous copy of a scattered payload.
};

}  // namespace kumi
