#include "conductor/delivery/start_packet.hpp"

#include "base/check.hpp"
#include "conductor/ranks/message_checks.hpp"

namespace kumi::conductor {
namespace {

using endpoint::Synchroniser;

std::uint64_t word_of(Synchroniser::Label label) {
    return std::uint64_t{label.round} << 1 | (label.is_odd ? 1 : 0);
}

}  // namespace

std::uint32_t prepare_start(ConductorState& state, std::uint32_t source, std::uint32_t target,
                            StartMember& member, Duration margin, Synchroniser::Label label) {
    const std::uint32_t index = state.messages.acquire();
    Message& message = state.messages.at(index);
    message.source = source;
    message.target = target;
    message.kind = MessageKind::kControl;
    message.size_bytes = state.collectives->packet_bytes;
    message.head.kind = endpoint::HeadKind::kStart;
    message.head.tag = word_of(label);
    message.head.data = static_cast<std::uint64_t>(margin.ps);
    message.head.address = reinterpret_cast<std::uint64_t>(&member);
    return index;
}

void hear_start(ConductorState& state, std::uint32_t index) {
    const Message& message = state.messages.at(index);
    auto* member = reinterpret_cast<StartMember*>(message.head.address);
    KUMI_ASSERT(state.arena->contains(member, sizeof(StartMember)),
                "a packet of a synchronisation is for no member of a group");
    member->synchroniser.hear(
        {static_cast<std::uint32_t>(message.head.tag >> 1), (message.head.tag & 1) != 0},
        message.arrived, Duration{static_cast<std::int64_t>(message.head.data)});
    discard(state, index);
}

}  // namespace kumi::conductor
