#include "network/power/fabric_power.hpp"

namespace kumi::network {

FabricPower::FabricPower(Arena& arena, const FabricDescription& fabric)
    : x_power(fabric.power),
      x_arena(&arena),
      x_link_count(static_cast<std::uint32_t>(fabric.links.size())),
      x_links(arena.make_array<LinkPower>(x_link_count)),
      x_accounts(arena.make_array<Account>(x_link_count)),
      x_idles(arena.make<IdleHistogram>()) {
    if (!policy().learns) return;
    x_histories = arena.make_array<LinkHistory>(x_link_count);
    for (std::uint32_t link = 0; link < x_link_count; ++link)
        x_histories[link].links = x_link_count;
    x_chains = arena.make<WaitChains>(arena, fabric, x_histories);
}

void FabricPower::keep_log() {
    if (x_log == nullptr) x_log = x_arena->make<PowerLog>(*x_arena, x_link_count);
}

Instant FabricPower::ask(std::uint32_t link, Instant now, Instant free_at) {
    x_last_asked = later(x_last_asked, now);
    Account& account = x_accounts[link];
    return x_links[link].ask(x_power, policy(), history(link), now, free_at,
                             [&](PowerState state, Instant begin, Instant end) {
                                 account.times.add(x_power, state, end - begin);
                                 if (x_log != nullptr)
                                     x_log->add(*x_arena, link, state, begin, end);
                             });
}

Instant FabricPower::carry(std::uint32_t link, Instant now, Instant ready, Instant free_at,
                           Cargo cargo) {
    // An oracle has the link active when it is needed, and not before.
    const Instant awake = ask(link, policy().foresees ? ready : now, free_at);
    if (cargo == Cargo::kEndOfMessage) x_links[link].message_crosses();
    Account& account = x_accounts[link];
    const Instant could_start = later(ready, free_at);
    const Instant start = later(awake, could_start);
    (cargo == Cargo::kWakeFrame ? account.frame_wait : account.wake_stall) += start - could_start;
    if (start > free_at) {
        const Duration gap = start - free_at;
        account.gaps += gap;
        account.oracle_energy += BestCourse(x_power, gap, /*must_wake=*/true).energy();
    }
    if (now > free_at) x_idles->add(now - free_at);
    return start;
}

LinkPowerSummary FabricPower::summary(std::uint32_t link, Instant end, Instant free_at) const {
    KUMI_ASSERT(end >= x_last_asked, "a summary of a past that is not over");
    LinkPowerSummary summary;
    summary.times = x_accounts[link].times;
    x_links[link].walk_to(x_power, policy(), history(link), end, free_at,
                          [&](PowerState state, Instant begin, Instant finish) {
                              summary.times.add(x_power, state, finish - begin);
                          });
    KUMI_ASSERT(summary.times.total() == end - Instant{},
                "the times of a link's power states are not those of the run");
    summary.wakes = x_links[link].wakes();
    summary.wake_stall = x_accounts[link].wake_stall;
    summary.frame_wait = x_accounts[link].frame_wait;
    summary.energy = summary.times.energy(x_power);
    const Duration rest = later(free_at, end) == end ? end - free_at : Duration{};
    const Duration busy = end - Instant{} - x_accounts[link].gaps - rest;
    summary.oracle_energy = x_accounts[link].oracle_energy +
                            BestCourse(x_power, rest, /*must_wake=*/false).energy() +
                            static_cast<Energy>(busy.ps) * x_power.on_uw;
    return summary;
}

}  // namespace kumi::network
