#pragma once

#include <cstdint>

#include "base/memory/arena.hpp"
#include "network/power/idle_histogram.hpp"
#include "network/power/link_power.hpp"
#include "network/power/policies/link_policy.hpp"
#include "network/power/power_log.hpp"
#include "network/power/states/power_times.hpp"
#include "network/power/wait_chains.hpp"

namespace kumi::network {

/// What one link's power came to.
struct LinkPowerSummary {
    PowerTimes times;
    std::uint64_t wakes = 0;
    Duration wake_stall{};  ///< That data waited for the link to be active.
    Duration frame_wait{};  ///< That wake frames did which cross the links that they wake.
    Energy energy = 0;
    /// What an oracle would have drawn while the link carried the same at the same times.
    Energy oracle_energy = 0;
};

/// What crosses a link.
enum class Cargo : std::uint8_t {
    kData,
    kEndOfMessage,  ///< The last data of a message.
    kWakeFrame,
};

/// The power of all links of a network, loopbacks excepted. Plain data in an arena.
class FabricPower {
   public:
    /// The fabric's power must have passed check_power and have a mode.
    FabricPower(Arena& arena, const FabricDescription& fabric);

    const PowerDescription& description() const { return x_power; }
    const LinkPolicy& policy() const { return *link_policies()[x_power.policy]; }
    /// Puts the states of links on record from now on.
    void keep_log();

    /// Something asks for a link that is busy until `free_at`. Returns when it is active.
    Instant ask(std::uint32_t link, Instant now, Instant free_at);
    /// Something asks for a link, and begins to cross it as soon as it is `ready`, the link active
    /// and free. Returns that moment.
    Instant carry(std::uint32_t link, Instant now, Instant ready, Instant free_at, Cargo cargo);
    /// Data will ask for a link as soon as it is active and free. Returns that moment.
    Instant call(std::uint32_t link, Instant now, Instant free_at) {
        const Instant could_start = later(now, free_at);
        const Instant start = later(could_start, ask(link, now, free_at));
        x_accounts[link].wake_stall += start - could_start;
        return start;
    }
    /// Data have asked for `link` at `now`, as it says already. They have come over `previous`, or
    /// WaitChains::kFromHost.
    void follow(std::uint32_t link, std::uint32_t previous, Instant now) {
        if (x_chains != nullptr) x_chains->follow(link, previous, x_links[link].rest_of_wake(now));
    }
    /// A message has come from host to host.
    void arrive(std::uint32_t first_link, std::uint32_t last_link) {
        if (x_chains != nullptr) x_chains->arrive(first_link, last_link);
    }
    /// What the policy knows of how long data have been held up; nullptr if it does not learn.
    const WaitChains* chains() const { return x_chains; }
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
    /// A wake frame comes that long ahead of data, and until the link has been idle for some time
    /// it does not begin to sleep: no shorter time between data saves anything.
    Duration shortest_announced_idle() const {
        return x_power.linger + x_power.modes[0].sleep_time +
               longest_wake(x_power, x_power.mode_count);
    }

    /// A rank sends a wake frame.
    void count_frame() { ++x_wake_frames; }
    std::uint64_t wake_frames() const { return x_wake_frames; }

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
        Duration wake_stall{};
        Duration frame_wait{};
        Duration gaps{};           ///< Between what the link carried.
        Energy oracle_energy = 0;  ///< An oracle's, in these gaps.
    };

    LinkHistory* history(std::uint32_t link) const {
        return x_histories == nullptr ? nullptr : &x_histories[link];
    }

    PowerDescription x_power;
    Arena* x_arena;
    std::uint32_t x_link_count;
    Instant x_last_asked{};
    std::uint64_t x_wake_frames = 0;
    LinkPower* x_links;
    Account* x_accounts;
    LinkHistory* x_histories = nullptr;
    WaitChains* x_chains = nullptr;  ///< If the policy learns.
    IdleHistogram* x_idles;
    PowerLog* x_log = nullptr;
};

}  // namespace kumi::network
