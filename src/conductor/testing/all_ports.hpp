#pragma once

#include <cstdint>

#include "conductor/port/call_log_port.hpp"
#include "conductor/port/clock_port.hpp"
#include "conductor/port/collective_port.hpp"
#include "conductor/port/endpoint_port.hpp"
#include "conductor/port/hint_port.hpp"
#include "conductor/port/wake_port.hpp"

namespace kumi::conductor {

/// All ports of a rank in one, for tests that are shim, transport and program at once.
class AllPorts : public ClockPort,
                 public EndpointPort,
                 public WakePort,
                 public HintPort,
                 public CallLogPort,
                 public CollectivePort {
   public:
    explicit AllPorts(RankProcess& process)
        : ClockPort(process),
          EndpointPort(process),
          WakePort(process),
          HintPort(process),
          CallLogPort(process),
          CollectivePort(process) {}

    using ClockPort::finish;
    using EndpointPort::finish;

    // Each port has these from its own base.
    std::uint32_t rank() const { return EndpointPort::rank(); }
    std::uint32_t rank_count() const { return EndpointPort::rank_count(); }
    std::uint32_t call_count() const { return EndpointPort::call_count(); }
    const RunConfiguration& configuration() const { return EndpointPort::configuration(); }
    void spend(Duration span) { EndpointPort::spend(span); }
    void synchronise() { EndpointPort::synchronise(); }
    void refuse(const char* text) { process().refuse(text); }
};

/// A call of the program's, while it exists; the process is not away in it.
class InCall {
   public:
    InCall(AllPorts& port, const CallName& name, CallClass call_class = CallClass::kBlocking)
        : x_bounds(port, name, call_class), x_visit(port) {}

   private:
    struct Bounds {
        Bounds(AllPorts& the_port, const CallName& name, CallClass call_class) : port(the_port) {
            port.enter(call_class, name);
        }
        ~Bounds() { port.leave(); }
        Bounds(const Bounds&) = delete;
        Bounds& operator=(const Bounds&) = delete;

        AllPorts& port;
    };

    const Bounds x_bounds;
    const EndpointPort::Visit x_visit;
};

}  // namespace kumi::conductor
