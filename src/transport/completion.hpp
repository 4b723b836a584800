#pragma once

#include <cstdint>

namespace kumi::transport {

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
    bool is_synchronous = false;   ///< The MPI library answers the message.
    std::uint32_t source = 0;
    std::uint32_t logged = 0;         ///< The request's number in records of calls, or 0.
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

}  // namespace kumi::transport
