#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/memory/arena.hpp"
#include "base/memory/prefetch.hpp"
#include "base/time/time.hpp"
#include "engine/event_key.hpp"
#include "engine/event_queue.hpp"
#include "network/event_payloads.hpp"
#include "network/fabric.hpp"
#include "network/injection_queue.hpp"
#include "network/power/wake_frames.hpp"
#include "network/routing/route_table.hpp"
#include "network/routing/routing.hpp"
#include "network/switching/credit_switching.hpp"
#include "network/traffic.hpp"
#include "network/zero_load.hpp"

namespace kumi::network {

/// What the network has carried so far. Bytes are payload, without packet headers.
struct NetworkCounters {
    std::uint64_t injected_messages = 0, injected_bytes = 0;
    std::uint64_t arrived_messages = 0, arrived_bytes = 0;
};

/// Use over time of all links: `busy_ps[link][bin]`, every list of equal length.
struct LinkUseTable {
    std::int64_t bin_ps = 0;
    std::vector<std::vector<std::int64_t>> busy_ps;
};

/// The interconnect in virtual time: messages enter at a host, cross directed links packet by
/// packet (virtual cut-through, FIFO output queues), and arrive at another host. Plain data in an
/// arena; not synchronised.
///
/// A packet whose head is ready for an output queue at h and whose tail follows at e starts on that
/// link at max(h, the link is free, e - its serialisation there): a faster link never runs dry.
/// Links are reserved in event order. A host's own link takes messages one after another.
///
/// That is the network without settings. With finite buffers packets move as `CreditSwitching`
/// says; with non-minimal routes the path is chosen at departure, and messages of a pair are handed
/// over in the order in which they entered.
///
/// Every link and every host's queue of injections is ordered in itself, so only its first entry is
/// in the event queue: outstanding events are bounded by the number of links and hosts, however
/// long messages and queues are.
class Network : private Traffic {
   public:
    static constexpr std::uint64_t kNoCookie = ~std::uint64_t{0};

    /// Builds a network, with a table of all paths between the hosts in `used` (none: all hosts),
    /// into the arena; messages go between these hosts only. Throws std::invalid_argument if the
    /// fabric or a path cannot be simulated, or if there are too many hosts for a table.
    static Network* create(Arena& arena, const FabricDescription& fabric, const Routing& routing,
                           std::span<const HostId> used = {});
    /// Builds a network of any size that asks `paths` for the path of each message when it is
    /// injected. It stays in this process; `paths` must outlive it. Throws std::invalid_argument if
    /// the fabric cannot be simulated. Instants and event hash are those of the network with a
    /// table.
    static Network* create(Arena& arena, const FabricDescription& fabric, PathFinder& paths);

    /// A message enters the source's interface at `when`, which must not lie before `now()`.
    /// (`when`, `order_source`, `order_sequence`) must be unique; it decides which of several
    /// messages of one instant comes first. `cookie` comes back to the sink. Returns false, and
    /// nothing enters, if there is no path between the two.
    [[nodiscard]] bool inject(Instant when, HostId source, HostId target, std::uint64_t size_bytes,
                              std::uint32_t order_source, std::uint64_t order_sequence,
                              std::uint64_t cookie);

    /// Sends a wake frame from the source's interface at `when`: see WakeFrames. It wakes the links
    /// of the minimal path for data that leave `wake_lead` later; they stay active for these, until
    /// `messages` more have crossed them, or the data are late by `hold`. The sink gets no
    /// report. Only if `takes_wake_frames`.
    void send_wake_frame(Instant when, HostId source, HostId target, Duration hold,
                         std::uint32_t messages, std::uint32_t order_source,
                         std::uint64_t order_sequence);
    /// Wake frames that would be sent after `end` are not.
    void end_wake_frames(Instant end) {
        if (x_wake_frames != nullptr) x_wake_frames->end_at(end);
    }
    bool takes_wake_frames() const { return x_wake_frames != nullptr; }
    /// How long before a message its wake frame must be sent, so that every link of the path is
    /// active and free, whatever it did before, when the message's first bit reaches it.
    Duration wake_lead(HostId source, HostId target) const;

    /// For fetching memory in advance: the host will perhaps send something soon.
    void expect_injections(HostId host) const { prefetch_line(&x_injections[host]); }

    /// The time of the next event; kNever if there is none.
    Instant next_event_time() const {
        const engine::Event* next = x_queue.top();
        return next == nullptr ? kNever : next->key.time;
    }

    /// What the sink may get from the next event: the cookie of a message whose last byte is at the
    /// target host by then. kNoCookie if it is another kind of event.
    std::uint64_t next_arrival() const {
        const engine::Event* next = x_queue.top();
        if (next == nullptr || next->key.event_class() != engine::EventClass::kArrival)
            return kNoCookie;
        return x_transits.at(step_transit(next->payload)).cookie;
    }

    /// Executes the next event; there must be one. If by that the last byte of a message is at the
    /// target host, calls
    ///   sink.arrived(Instant, std::uint64_t cookie),
    /// which may inject. If the sink has
    ///   sink.expect(std::uint64_t cookie, int steps_before),
    /// that is called 4, 3, 2, 1 and 0 steps before many arrivals, for fetching memory in advance.
    template <class Sink>
    void execute_next(Sink& sink) {
        const engine::Event event = take_next();
        if (x_queue.begins_block()) [[unlikely]]
            prefetch(sink);
        const std::uint32_t source_id = event.key.source_id();
        std::uint64_t cookie = 0;
        bool has_arrived = false;
        switch (event.key.event_class()) {
            case engine::EventClass::kForward:
                forward(source_id);
                break;
            case engine::EventClass::kInjection:
                enter_interface(event);
                break;
            case engine::EventClass::kArrival:
                if (x_non_minimal != nullptr) [[unlikely]]
                    return arrive_in_order(event, sink);
                cookie = forget(take_arrival(source_id));
                has_arrived = true;
                break;
            case engine::EventClass::kCredit:
            case engine::EventClass::kFront:
            case engine::EventClass::kHeadReady:
            case engine::EventClass::kArbitrate:
                execute_setting(event);
                break;
            case engine::EventClass::kWake:
                pass_wake_frame(event);
                break;
        }
        x_queue.settle();
        if (has_arrived) sink.arrived(x_now, cookie);
    }

    /// The time of the last executed event.
    Instant now() const { return x_now; }

    /// No message reaches another host in a shorter time. With a table it is the shortest time,
    /// else a bound from the first and the last link; that of the loopback if no two hosts are
    /// connected.
    Duration minimum_latency() const { return x_minimum_latency; }
    /// The shortest time in which a message can reach its own host.
    Duration loopback_latency() const { return x_loopback_latency; }
    /// What the message would take if every link of its path, which there must be, were idle.
    /// O(path length).
    Duration zero_load_time(HostId source, HostId target, std::uint64_t size_bytes) const;

    /// Whether there is a path between the two.
    bool connects(HostId source, HostId target) const {
        return find_path(source, target).length > 0;
    }
    /// How long a message occupies the first link of its path, which there must be.
    Duration injection_time(HostId source, HostId target, std::uint64_t size_bytes) const;

    /// Whether any link corrupts bits of messages for which errors are allowed.
    bool has_noise() const { return x_noise_of_links != nullptr; }
    /// Calls visit(hop, noise) for each link of the minimal path that corrupts bits, in order; hops
    /// are numbered from the source, links without noise included. O(path length).
    template <class Visit>
    void visit_noisy_hops(HostId source, HostId target, Visit&& visit) const {
        if (x_noise_of_links == nullptr || source == target) return;
        const Path path = find_path(source, target);
        for (std::uint32_t hop = 0; hop < path.length; ++hop) {
            const std::uint8_t noise = x_noise_of_links[path.links[hop]];
            if (noise != 0) visit(hop, x_noises[noise - 1]);
        }
    }

    /// What the sink learns of a message at its arrival.
    struct Arrival {
        Duration zero_load{};    ///< Its time had every link of the path that it took been idle.
        Duration credit_wait{};  ///< See CreditSwitching::credit_wait_of.
    };
    /// Of the message that arrived last, to be asked within sink.arrived().
    const Arrival& arrival() const { return x_arrival; }
    /// From now on `arrival()` can be asked, which costs O(path length) for each message.
    void keep_arrivals() { x_keeps_arrivals = true; }

    std::uint64_t event_hash() const { return x_hash.value(); }
    std::uint64_t event_count() const { return x_event_count; }
    std::uint32_t outstanding_events() const { return x_queue.size(); }
    std::uint32_t messages_in_flight() const { return x_transits.live(); }
    /// Whether messages are on their way that nothing can move any more: full buffers wait for each
    /// other in a circle.
    bool is_stuck() const { return x_queue.empty() && x_transits.live() != 0; }
    /// The links of such a circle; empty unless the network is stuck.
    std::vector<LinkId> find_circle() const;
    /// Bytes in finite buffers, and on their way there.
    std::uint64_t buffered_bytes() const {
        return x_credits == nullptr ? 0 : x_credits->buffered_bytes();
    }
    const NetworkCounters& counters() const { return x_counters; }

    std::uint32_t hosts() const { return x_hosts; }
    /// Number of links of the fabric, without loopbacks; ids are those of the description.
    std::uint32_t links() const { return x_links_count; }
    const LinkStatistics& link_statistics(LinkId link) const { return x_links[link].statistics; }
    /// How long packets waited for nothing but room in the buffer behind the link.
    Duration credit_wait(LinkId link) const {
        return x_credits == nullptr ? Duration{} : x_credits->credit_wait(link);
    }
    const LinkStatistics& loopback_statistics(HostId host) const {
        return x_links[x_links_count + host].statistics;
    }
    /// nullptr if links have no power model.
    const FabricPower* power() const { return x_power; }
    /// Puts the power states of links on record from now on, if there are any.
    void keep_power_log() {
        if (x_power != nullptr) x_power->keep_log();
    }
    /// The power of a link until `end`, at least what `power()->last_asked()` says.
    LinkPowerSummary link_power(LinkId link, Instant end) const {
        return x_power->summary(link, end, x_links[link].free_at);
    }
    /// The power states of all links until `end` that the log does not hold: calls
    /// record(LinkId, PowerState, Instant begin, Instant end).
    template <class Record>
    void finish_power_log(Instant end, Record&& record) const {
        for (LinkId id = 0; id < x_links_count; ++id) {
            x_power->finish_log(id, end, x_links[id].free_at,
                                [&](PowerState state, Instant begin, Instant finish) {
                                    record(id, state, begin, finish);
                                });
        }
    }
    /// Use over time of the fabric's links, at most 256 bins each.
    LinkUseTable link_use() const;
    /// Of these links only, in their order; the bins are as wide as for all.
    LinkUseTable link_use(std::span<const LinkId> links) const;

   private:
    friend Arena;

    Network(Arena& arena, const FabricDescription& fabric, const RouteTable& routes,
            PathFinder* finder);

    void build_kinds(const FabricDescription& fabric);
    void build_settings(const FabricDescription& fabric);
    void build_noise(const FabricDescription& fabric);
    Duration idle_time(const Packets& packets, const auto& path, std::uint32_t length) const;
    void find_minimum_latency();
    void bound_minimum_latency(const FabricDescription& fabric);

    Path find_path(HostId source, HostId target) const {
        return x_finder == nullptr ? x_routes.path(source, target) : x_finder->path(source, target);
    }

    /// Nothing cuts a message that stays on its host.
    Packets cut(HostId source, HostId target, std::uint64_t size_bytes) const {
        const bool stays = source == target;
        return cut_into_packets(size_bytes, stays ? 0 : x_packet_bytes, stays ? 0 : x_header_bytes);
    }

    engine::Event take_next() {
        const engine::Event event = x_queue.take();
        KUMI_ASSERT(event.key.time >= x_now, "an event lies before the last executed one");
        x_now = event.key.time;
        x_hash.mix(event.key);
        ++x_event_count;
        return event;
    }
    // Fetching memory in advance: network_prefetch.hpp.
    template <class Sink>
    void prefetch(Sink& sink);
    void fetch_named(const engine::Event& event) const;
    void fetch_behind(const engine::Event& event) const;
    void fetch_use(const engine::Event& event) const;
    void fetch_link(LinkId id) const {
        prefetch_line(&x_links[id]);
        prefetch_line(&x_links[id].statistics);
    }

    void enter_interface(const engine::Event& injection);
    void send_whole(std::uint32_t transit);
    void forward(LinkId incoming);
    std::uint32_t take_arrival(LinkId link);
    std::uint64_t forget(std::uint32_t transit);
    void note_arrival(std::uint32_t transit);

    // Only where links save power.
    void pass_wake_frame(const engine::Event& event);
    /// Data begin to cross a link of their path at `start`. If they must wait until then, a wake
    /// frame goes ahead of them.
    void wake_ahead(const Transit& transit, std::uint16_t hop, Instant start);
    /// How long before data a wake frame must reach a link of their path, for that and the rest.
    Duration lead_along(const TransitPath& path, std::uint32_t hop) const;
    void forget_wake_frame(std::uint32_t index);

    // Only where the description asks for finite buffers or non-minimal routes.
    bool enter_by_setting(std::uint32_t transit);
    void execute_setting(const engine::Event& event);
    void take_turn(HostId host);
    void schedule_turn(HostId host);
    Duration load(LinkId link);
    bool may_hand_over(const engine::Event& arrival, std::uint64_t& cookie);
    template <class Sink>
    void arrive_in_order(const engine::Event& event, Sink& sink) {
        std::uint64_t cookie = 0;
        const bool is_next = may_hand_over(event, cookie);
        x_queue.settle();
        if (is_next) sink.arrived(x_now, cookie);
    }

    std::uint32_t take_injection(const engine::Event& event);
    void put_on_next_link(const PacketRun& packet, bool is_last);

    engine::EventHash x_hash;
    std::uint64_t x_event_count = 0;
    NetworkCounters x_counters;
    std::uint64_t x_arrivals = 0;  ///< Which of the events that are fetched for are arrivals.
    InjectionPool x_waiting;       ///< Of all hosts.
    RouteTable x_routes;
    PathFinder* x_finder = nullptr;          ///< In place of the table; in ordinary memory.
    InjectionQueue* x_injections = nullptr;  ///< One a host.
    CreditSwitching* x_credits = nullptr;    ///< If buffers are finite.
    WakeFrames* x_wake_frames = nullptr;     ///< If their policy takes wake frames.
    LinkNoise* x_noises = nullptr;
    std::uint8_t* x_noise_of_links = nullptr;  ///< As in LinkDescription; if any has noise.
    std::uint64_t x_packet_bytes = 0;
    std::uint64_t x_header_bytes = 0;
    Duration x_minimum_latency{};
    Duration x_loopback_latency{};
    Arrival x_arrival{};
    bool x_keeps_arrivals = false;
};

/// The circle of full buffers in a network that is stuck, in words: how many, and which links lead
/// to the first of them. Empty if it is not stuck.
std::string describe_circle(const Network& network, const FabricDescription& fabric);

}  // namespace kumi::network

#include "network/network_prefetch.hpp"
