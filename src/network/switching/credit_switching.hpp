#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/arena.hpp"
#include "engine/event_key.hpp"
#include "engine/queues.hpp"
#include "network/fabric.hpp"
#include "network/link/link.hpp"

namespace kumi::network {

class Traffic;

/// Packets between finite buffers. Each link that leads to a switch ends in a buffer for each of
/// its virtual channels. A packet starts on a link only if it is at the front of its buffer, the
/// link is free, and the buffer at the far end has room for all of it: the link holds a credit of
/// as many bytes. When its tail has left a buffer, its credit travels back, for the latency of the
/// link that leads there. Hosts take in whatever comes.
///
/// A buffer is a queue that is read by one packet at a time: what stands behind a packet that
/// cannot go on waits too, even if its own output is free (head-of-line blocking). The packets at
/// the fronts of the input ports of a switch compete for its outputs: see `Arbitration`.
///
/// Plain data in the network's arena. The events are its own, so that a network without buffers
/// pays nothing for them.
class CreditSwitching {
   public:
    CreditSwitching(Arena& arena, const FabricDescription& fabric);

    /// A message that the network has just got enters the interface of a host.
    void enter(Traffic& traffic, LinkId first_link, std::uint32_t transit);
    /// One of the events kCredit, kFront, kHeadReady and kArbitrate.
    void execute(Traffic& traffic, const engine::Event& event);

    /// How long a packet that now asks for the link would wait for it, as far as its switch knows:
    /// until the link has carried the packets that stand before it in the switch, and those that
    /// fill the buffer at its far end.
    Duration load(const Traffic& traffic, LinkId link);

    /// How long packets could have gone on this link, which was awake and free, had there been room
    /// for them in the buffer behind it; of all that have gone.
    Duration credit_wait(LinkId link) const { return x_outputs[link].credit_wait; }
    /// How long a message waited for credit: its packets at the host's interface, and then its last
    /// packet. Some of that may have been no loss, since packets wait for those of their own
    /// message, too.
    Duration credit_wait_of(std::uint32_t transit) const { return x_message_waits[transit]; }

    /// What lies in the buffers or is on its way there, headers included.
    std::uint64_t buffered_bytes() const;
    /// Links whose buffers wait for each other in a circle, in this order; empty if none do. To be
    /// asked when no event is left.
    std::vector<LinkId> find_circle(const Traffic& traffic) const;

   private:
    friend Arena;

    struct Credit {
        Instant when{};
        std::uint64_t size_bytes = 0;
    };
    /// One virtual channel of a link: the buffer at its far end, and the credit at its near end. A
    /// credit that comes back is an event only if the link waits for it.
    struct Channel {
        engine::RingQueue<PacketRun> waiting;
        engine::RingQueue<Credit> returning;
        Instant read_until{};  ///< The tail of the last packet leaves then.
        std::uint64_t credit_bytes = 0;
        std::uint64_t returning_bytes = 0;
        std::uint64_t next_sequence = 0;  ///< Of its events.
        Duration stalled_before{};        ///< `Output::stalled` when its front asked for that.
        bool is_awaited = false;          ///< A packet was refused for lack of credit.
    };
    struct Sending {
        Instant ready{};  ///< Since when its next packet waits.
        std::uint32_t transit = 0;
        std::uint32_t packets_sent = 0;
    };
    /// The near end of a link.
    struct Output {
        /// At a switch: a bit for each channel of each input port whose front wants this link.
        std::uint64_t* requests = nullptr;
        engine::RingQueue<Sending> messages;  ///< At a host: whole messages, one after another.
        std::uint64_t next_sequence = 0;
        std::uint64_t waiting_bytes = 0;  ///< In all buffers of the switch, for this link.
        std::uint32_t requested = 0;      ///< Bits that are set.
        std::uint32_t first_port = 0;     ///< Place of the switch's ports in `x_ports`.
        std::uint32_t port_count = 0;
        std::uint32_t last_port = 0;
        bool has_turn = false;  ///< kArbitrate is among the network's events.
        bool leaves_host = false;
        Instant stalled_since = kNever;  ///< Free, and no packet that asks has credit.
        Duration stalled{};              ///< So far.
        Duration woke_for{};             ///< That it has woken for the packet that goes next.
        Duration credit_wait{};          ///< Of packets that have gone.
    };
    /// The far end of a link.
    struct Input {
        std::uint32_t port = 0;  ///< Of its switch.
        ChannelRule rule{};
    };
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    static constexpr std::uint32_t kWordBits = 64;  ///< Of `requests`.

    std::uint32_t queue_of(LinkId link, std::uint32_t channel) const {
        return link * x_channel_count + channel;
    }
    void build_ports(Arena& arena, const FabricDescription& fabric);

    void reach(Traffic& traffic, LinkId link);
    void present(Traffic& traffic, std::uint32_t queue);
    void continue_with_credit(Traffic& traffic, std::uint32_t queue);
    void collect_credit(const Traffic& traffic, Channel& channel) const;
    bool has_credit(Traffic& traffic, std::uint32_t queue, std::uint64_t size_bytes);
    void arrange_turn(Traffic& traffic, LinkId link);
    void note_message(Arena& arena, std::uint32_t transit);
    static void follow(Traffic& traffic, LinkId link, LinkId previous);
    void take_turn(Traffic& traffic, LinkId link);
    void send_from_host(Traffic& traffic, LinkId link);
    void send_from_buffer(Traffic& traffic, LinkId link, std::uint32_t queue);
    Instant put_on_link(Traffic& traffic, LinkId link, PacketRun packet, Instant ready,
                        Duration credit_wait);
    void free_room(Traffic& traffic, std::uint32_t queue, std::uint64_t size_bytes);
    void schedule_credit(Traffic& traffic, std::uint32_t queue);
    void schedule_reach(Traffic& traffic, LinkId link);

    /// The buffer whose front gets the link; kNone if none may go on.
    std::uint32_t choose(Traffic& traffic, const Output& output, LinkId link);
    bool may_go(Traffic& traffic, LinkId link, std::uint32_t queue);
    std::uint32_t next_request(const Output& output, std::uint32_t begin, std::uint32_t end) const;
    std::uint32_t queue_at(const Output& output, std::uint32_t slot) const;

    std::uint32_t channel_on(LinkId before, std::uint32_t channel, LinkId link) const {
        return next_channel(x_inputs[before].rule, channel, x_inputs[link].rule, x_channel_count);
    }

    std::uint64_t x_buffer_bytes;
    std::uint32_t x_channel_count;
    std::uint32_t x_link_count;
    Arbitration x_arbitration;
    Duration x_switch_latency;
    Channel* x_channels = nullptr;        ///< `x_channel_count` for each link.
    Output* x_outputs = nullptr;          ///< One for each link.
    Input* x_inputs = nullptr;            ///< One for each link.
    LinkId* x_ports = nullptr;            ///< The links into each switch, switch by switch.
    Duration* x_message_waits = nullptr;  ///< Of each message in the network's pool.
    std::uint32_t x_message_capacity = 0;
};

}  // namespace kumi::network
