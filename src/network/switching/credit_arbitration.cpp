// Which of the packets that want a link gets it: see Arbitration.
#include <bit>

#include "network/switching/credit_switching.hpp"
#include "network/traffic.hpp"

namespace kumi::network {

std::uint32_t CreditSwitching::choose(Traffic& traffic, const Output& output, LinkId link) {
    const std::uint32_t slots = output.port_count * x_channel_count;
    const bool in_turn = x_arbitration == Arbitration::kRoundRobin;
    const std::uint32_t begin =
        in_turn ? (output.last_port + 1) % output.port_count * x_channel_count : 0;
    std::uint32_t best = kNone;
    std::uint32_t best_port = kNone;
    Instant best_ready = kNever;
    // Once around: from the port whose turn it is to the last slot, and from the first one to it.
    const std::uint32_t ranges[2][2] = {{begin, slots}, {0, begin}};
    for (const auto& range : ranges) {
        for (std::uint32_t slot = next_request(output, range[0], range[1]); slot != kNone;
             slot = next_request(output, slot + 1, range[1])) {
            const std::uint32_t port = slot / x_channel_count;
            if (in_turn && best != kNone && port != best_port) return best;
            const std::uint32_t queue = queue_at(output, slot);
            const Instant ready = x_channels[queue].waiting.front().ready;
            if (ready >= best_ready || !may_go(traffic, link, queue)) continue;
            best = queue;
            best_port = port;
            best_ready = ready;
        }
    }
    return best;
}

bool CreditSwitching::may_go(Traffic& traffic, LinkId link, std::uint32_t queue) {
    if (traffic.kind_of(traffic.x_links[link]).delivers) return true;
    const PacketRun& packet = x_channels[queue].waiting.front();
    const LinkId from = queue / x_channel_count;
    const std::uint32_t onto = queue_of(link, channel_on(from, packet.channel, link));
    return has_credit(traffic, onto, traffic.packet_bytes(packet));
}

/// The first slot from `begin` on, below `end`, that asks; kNone if there is none.
std::uint32_t CreditSwitching::next_request(const Output& output, std::uint32_t begin,
                                            std::uint32_t end) const {
    while (begin < end) {
        const std::uint64_t word = output.requests[begin / kWordBits] >> begin % kWordBits;
        if (word != 0) {
            const std::uint32_t slot = begin + static_cast<std::uint32_t>(std::countr_zero(word));
            return slot < end ? slot : kNone;
        }
        begin = (begin / kWordBits + 1) * kWordBits;
    }
    return kNone;
}

std::uint32_t CreditSwitching::queue_at(const Output& output, std::uint32_t slot) const {
    const LinkId from = x_ports[output.first_port + slot / x_channel_count];
    return queue_of(from, slot % x_channel_count);
}

}  // namespace kumi::network
