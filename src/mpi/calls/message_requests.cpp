#include "mpi/calls/message_requests.hpp"

#include <algorithm>
#include <cstdlib>

namespace kumi::mpi::message_requests {
namespace {

constinit StartedRequests started;
constinit bool makes_synchronous = false;
constinit Requests awaited{};
constinit bool is_message_call = false;
constinit std::size_t looked_through = 0;

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
void detail::begin_wait(const Requests& requests) { awaited = requests; }
void detail::end_wait() { awaited.count = 0; }
void detail::begin_messages() { is_message_call = true; }
void detail::end_messages() { is_message_call = false; }
void detail::begin_look(const Requests& requests) { looked_through = requests.count; }
void detail::end_look() { looked_through = 0; }

std::size_t vain_polls() { return looked_through / requests_a_poll(); }

bool waits_for_messages() { return is_message_call || awaited.count > 0; }

std::size_t needed(std::uint32_t* calls, std::size_t room) {
    std::size_t found = 0;
    // Of requests that were started together, which message is whose is not known: either all are
    // waited for, most often one after another, or nothing is known.
    std::uint32_t call = 0, in_a_row = 0;
    for (std::size_t i = 0; i < awaited.count && found < room; ++i) {
        const StartedRequest known = started.find(awaited[i]);
        const bool is_known = known.call != 0;
        in_a_row = is_known && known.call == call ? in_a_row + 1 : 1;
        call = is_known ? known.call : 0;
        if (is_known && in_a_row == known.together) calls[found++] = call;
    }
    return found;
}

}  // namespace kumi::mpi::message_requests
