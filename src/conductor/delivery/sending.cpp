#include "conductor/delivery/sending.hpp"

#include "conductor/delivery/post.hpp"
#include "conductor/delivery/services.hpp"

namespace kumi::conductor {

void send_now(ConductorState& state, std::uint32_t index, bool is_request) {
    Message& message = state.messages.at(index);
    RankSlot& slot = state.slot(message.source);
    message.sent = slot.clock;
    Duration after{};
    if (state.services != nullptr) after = use_service(state, message);
    post_by_rank(state, index, is_request);
    slot.clock += after;
}

}  // namespace kumi::conductor
