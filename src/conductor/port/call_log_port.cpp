#include "conductor/port/call_log_port.hpp"

#include <cstdio>

namespace kumi::conductor {

std::uint32_t CallLogPort::log_request(const LoggedCall& call) {
    const Visit visit(x_process);
    LoggedCall numbered = call;
    numbered.request = ++x_slot->recorded.logged_requests;
    log_call(*x_state, x_rank, numbered);
    return numbered.request;
}

void CallLogPort::log(const LoggedCall& call) {
    const Visit visit(x_process);
    log_call(*x_state, x_rank, call);
}

void CallLogPort::refuse_record(const char* what) {
    char text[300];
    std::snprintf(text, sizeof text,
                  "%s: kumihimo record --of calls cannot record %s; expected a program without "
                  "them, or --of messages",
                  x_slot->call.name.text, what);
    refuse(text);
}

}  // namespace kumi::conductor
