#pragma once

#include <cstdint>

#include "base/time/time.hpp"
#include "endpoint/head.hpp"
#include "endpoint/interface.hpp"

namespace kumi::endpoint {

/// A message that has arrived, or the notice that one of this rank's has been delivered: the head
/// is that message's.
struct Arrival {
    std::uint32_t message = 0;  ///< The driver's number for it.
    std::uint32_t source = 0;   ///< Rank.
    std::uint32_t owner = 0;    ///< Of the endpoint: rank.
    bool is_notice = false;
    Head head{};
};

/// What an endpoint is connected to, at the instant at which something happens to it: its network
/// interface, and the processor that it works on.
class Driver {
   public:
    /// The endpoint works for `span`: all that follows happens later.
    virtual void charge(Duration span) = 0;
    /// When the endpoint has done the work that it was charged so far.
    virtual Instant now() const = 0;
    /// Sends a control message.
    virtual void send(std::uint32_t target, const Head& head) = 0;
    /// Asks the target's network interface for the payload of a message, `size_bytes` of it; `head`
    /// comes back with that.
    virtual void fetch(std::uint32_t target, std::uint64_t size_bytes, const Head& head) = 0;
    /// The endpoint needs the message no longer.
    virtual void release(std::uint32_t message) = 0;
    /// The envelope of a message that is kept as unexpected.
    virtual Arrival kept(std::uint32_t message) = 0;
    /// A receive gets its message, in the order of MPI's rules.
    virtual void matched(std::uint32_t request, std::uint32_t message) = 0;
    /// Where the interface matches: it has done its part of a request, which is complete as soon as
    /// the rank takes it (Protocol::take).
    virtual void delivered(std::uint32_t request, Delivery kind) = 0;
    /// A request is complete. It is no longer the endpoint's.
    virtual void completed(std::uint32_t request) = 0;

   protected:
    ~Driver() = default;
};

}  // namespace kumi::endpoint
