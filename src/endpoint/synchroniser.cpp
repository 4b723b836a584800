#include "endpoint/synchroniser.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "base/check.hpp"

namespace kumi::endpoint {

Duration put_in_order(std::vector<StartPacket>& packets) {
    std::ranges::stable_sort(packets, std::ranges::greater(), &StartPacket::latency);
    std::array<Duration, 2> waits{};
    Duration farthest{};
    for (StartPacket& packet : packets) {
        Duration& wait = waits[packet.stays_on_host ? 1 : 0];
        packet.latency += wait;
        wait += packet.injection;
        farthest = std::max(farthest, packet.latency);
    }
    return farthest;
}

void Synchroniser::enter(Instant when, Duration farthest, StartRule rule) {
    x_is_inside = x_is_in_round = true;
    StartCounter& round = counter(label());
    const Duration own = rule == StartRule::kCorrected ? farthest : Duration{};
    round.start = later(round.start, when + own);
}

void Synchroniser::hear(Label label, Instant arrival, Duration rest) {
    StartCounter& round = counter(label);
    ++round.packets;
    round.start = later(round.start, arrival + rest);
}

std::optional<Instant> Synchroniser::leave_round(std::uint32_t others) {
    if (!x_is_in_round) return std::nullopt;
    StartCounter& round = counter(label());
    KUMI_ASSERT(round.packets <= others, "a rank got more packets than its group has ranks");
    if (round.packets < others) return std::nullopt;
    const Instant end = std::exchange(round, {}).start;
    x_is_in_round = false;
    if (++x_round == rounds()) {
        x_round = 0;
        x_is_odd = !x_is_odd;
        x_is_inside = false;
    }
    return end;
}

}  // namespace kumi::endpoint
