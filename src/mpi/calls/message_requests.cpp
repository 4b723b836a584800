#include "mpi/calls/message_requests.hpp"

#include <algorithm>
#include <cstdlib>

namespace kumi::mpi::message_requests {

constinit detail::Present detail::present{};

namespace {

constinit StartedRequests started;
constinit bool makes_synchronous = false;

/// How many requests MPICH passes between two polls.
std::size_t requests_a_poll() {
    static const std::size_t requests = [] {
        for (const char* name : {"MPIR_CVAR_REQUEST_POLL_FREQ", "MPICH_REQUEST_POLL_FREQ"}) {
            const char* text = std::getenv(name);
            if (text != nullptr) return std::max<std::size_t>(std::strtoul(text, nullptr, 10), 1);
        }
        return std::size_t{8};
    }();
    return requests;
}

}  // namespace

CallClass class_of_persistent() {
    return makes_synchronous ? CallClass::kSynchronous : CallClass::kBlocking;
}

void detail::note_started(const Requests& requests) {
    const std::uint32_t call = run_link::call_number();
    const auto together = static_cast<std::uint32_t>(requests.count);
    for (std::size_t i = 0; i < requests.count; ++i) started.note({requests[i], call, together});
}

void detail::note_synchronous() { makes_synchronous = true; }

std::size_t vain_polls() {
    return detail::present.own_steps + detail::present.looked_through / requests_a_poll();
}

bool waits_for_messages() {
    return detail::present.sends_or_receives || detail::present.awaited.count > 0;
}

std::size_t needed(std::uint32_t* calls, std::size_t room) {
    if (detail::present.needs_own) {
        if (room > 0) calls[0] = run_link::call_number();
        return 1;
    }
    const Requests& awaited = detail::present.awaited;
    std::size_t found = 0;
    // Of requests that were started together, which message is whose is not known: either all are
    // waited for, most often one after another, or nothing is known.
    std::uint32_t call = 0, in_a_row = 0;
    for (std::size_t i = 0; i < awaited.count; ++i) {
        const StartedRequest known = started.find(awaited[i]);
        const bool is_known = known.call != 0;
        in_a_row = is_known && known.call == call ? in_a_row + 1 : 1;
        call = is_known ? known.call : 0;
        if (!is_known || in_a_row != known.together) continue;
        if (found < room) calls[found] = call;
        ++found;
    }
    return found;
}

}  // namespace kumi::mpi::message_requests
