#pragma once

#include <cstdint>

#include "base/arena.hpp"
#include "network/power/idle_histogram.hpp"
#include "network/power/link_policy.hpp"
#include "network/power/link_power.hpp"
#include "network/power/power_log.hpp"
#include "network/power/power_times.hpp"

namespace kumi {

/// What one link's power came to.
struct LinkPowerSummary {
    PowerTimes times;
    std::uint64_t wakes = 0;
    Duration data_wait{};  ///< That data waited for the link to be active.
    Energy energy = 0;
    /// What an oracle would have drawn while the link carried the same at the same times.
    Energy least_energy = 0;
};

/// The power of all links of a network, loopbacks excepted. Plain data in an arena.
class FabricPower {
   public:
    /// `power` must have passed check_power and have a mode.
    FabricPower(Arena& arena, const PowerDescription& power, std::uint32_t links);

    const PowerDescription& description() const { return x_power; }
    const LinkPolicy& policy() const { return *link_policies()[x_power.policy]; }
    /// Puts the states of links on record from now on.
    void keep_log();

    /// Something asks for a link that is busy until `free_at`. Returns when it is active.
    Instant ask(std::uint32_t link, Instant now, Instant free_at);
    /// Data ask for a link, and begin to cross it as soon as they are `ready`, it is active and
    /// free. Returns that moment. `ends_message`: they are the last of a message.
    Instant carry(std::uint32_t link, Instant now, Instant ready, Instant free_at,
                  bool ends_message);
    /// Data will ask for a link as soon as it is active and free. Returns that moment.
    Instant call(std::uint32_t link, Instant now, Instant free_at) {
        const Instant could_start = later(now, free_at);
        const Instant start = later(could_start, ask(link, now, free_at));
        x_accounts[link].data_wait += start - could_start;
        return start;
    }
    /// See LinkPower::announce.
    void announce(std::uint32_t link, Instant until, std::uint32_t messages) {
        x_links[link].announce(until, messages);
    }
    /// See LinkPower::expect.
    void expect(std::uint32_t link, Instant arrival, bool was_called) {
        x_links[link].expect(arrival, was_called);
    }
    Instant awake_at(std::uint32_t link) const { return x_links[link].awake_at(); }
    bool is_called(std::uint32_t link) const { return x_links[link].is_called(); }
    /// The longest that a link may take from being asked to being active.
    Duration longest_wake() const;
    /// A wake frame comes that long ahead of data, and until the link has been idle for some time
    /// it does not begin to sleep: no shorter time between data saves anything.
    Duration shortest_announced_idle() const {
        return x_power.linger + x_power.modes[0].sleep_time + longest_wake();
    }

    /// Everything up to `end`, which must not lie before `last_asked()`.
    LinkPowerSummary summary(std::uint32_t link, Instant end, Instant free_at) const;
    /// When anything asked for a link last.
    Instant last_asked() const { return x_last_asked; }
    const IdleHistogram& idles() const { return *x_idles; }
    /// nullptr if no log is kept.
    const PowerLog* log() const { return x_log; }
    /// Calls record(PowerState, Instant begin, Instant end) for what the log does not hold yet.
    template <class Record>
    void finish_log(std::uint32_t link, Instant end, Instant free_at, Record&& record) const {
        x_links[link].walk_to(x_power, policy(), history(link), end, free_at, record);
    }

   private:
    struct Account {
        PowerTimes times;
        Duration data_wait{};
        Duration gaps{};          ///< Between what the link carried.
        Energy least_energy = 0;  ///< An oracle's, in these gaps.
    };

    LinkHistory* history(std::uint32_t link) const {
        return x_histories == nullptr ? nullptr : &x_histories[link];
    }

    PowerDescription x_power;
    Arena* x_arena;
    std::uint32_t x_link_count;
    Instant x_last_asked{};
    LinkPower* x_links;
    Account* x_accounts;
    LinkHistory* x_histories = nullptr;
    IdleHistogram* x_idles;
    PowerLog* x_log = nullptr;
};

}  // namespace kumi
