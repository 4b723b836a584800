#include "conductor/port/wake_port.hpp"

#include "base/check.hpp"

namespace kumi::conductor {

void WakePort::wake(std::span<const WakeRequest> requests) {
    if (requests.empty() || !in_virtual_time() || !takes_wake_frames()) return;
    const Visit visit(x_process);
    spend(configuration().wake_cost);
    send_wake_frames(requests);
}

void WakePort::wake_by_timer(std::span<const WakeRequest> requests) {
    const Visit visit(x_process);
    if (in_virtual_time() && takes_wake_frames()) send_wake_frames(requests);
}

void WakePort::send_wake_frames(std::span<const WakeRequest> requests) {
    for (const WakeRequest& request : requests) {
        KUMI_ASSERT(request.target < rank_count(), "a wake frame to a rank that is not there");
        KUMI_ASSERT(request.delay.ps >= 0 && request.hold.ps >= 0, "time goes forward");
        x_state->network->send_wake_frame(x_slot->clock + request.delay, x_slot->host,
                                          x_state->slot(request.target).host, request.hold,
                                          request.messages, x_rank, x_slot->seldom.wake_frames++);
    }
}

}  // namespace kumi::conductor
