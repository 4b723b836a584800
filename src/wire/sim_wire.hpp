#pragma once

#include <span>
#include <vector>

#include "base/shim_table.hpp"
#include "conductor/rank_port.hpp"
#include "wire/wire.hpp"

namespace kumi {

/// The simulated network, reached through this rank's end of the conductor.
class SimWire final : public Wire {
   public:
    /// The port must outlive the wire. `needed` may be nullptr: nothing is known.
    explicit SimWire(RankPort& port, NeededReceives needed = nullptr);

    std::uint32_t rank() const override { return x_port.rank(); }
    std::uint32_t rank_count() const override { return x_port.rank_count(); }
    const TransportParameters& parameters() const override { return x_parameters; }

    Outgoing prepare(std::uint32_t target, TrafficClass traffic, std::uint64_t size_bytes,
                     std::uint64_t payload_bytes, const void* head, std::uint64_t tag) override;
    void send(Outgoing outgoing) override;
    void send_with_notice(Outgoing outgoing) override;
    void send_request(Outgoing outgoing) override {
        x_port.send(outgoing.handle, /*is_request=*/true);
    }
    void fetch(std::uint32_t target, std::uint64_t size_bytes, const void* head,
               std::uint64_t tag) override;
    void get(std::uint32_t target, std::uint64_t key, std::uint64_t offset,
             std::uint64_t size_bytes, const void* head) override;
    void put(Outgoing outgoing, std::uint64_t key, std::uint64_t offset) override;
    void expose(std::uint64_t key, std::uint64_t base, std::uint64_t size_bytes) override;
    void withdraw(std::uint64_t key) override;
    bool can_read_peers() const override { return x_port.can_reach_memory(); }
    void read_peer(std::uint32_t source, std::uint64_t address, void* into,
                   std::size_t size_bytes) override;

    bool take(Arrival& arrival) override;
    void release(std::uint32_t handle) override;
    void come_into_time() override { x_port.come_into_time(); }
    bool take_seen(Arrival& arrival) override;
    void note_posted(std::uint32_t source, std::uint64_t tag, std::uint64_t ignore) override {
        x_port.note_posted(source, tag, ignore);
    }

    void spend(Duration span) override { x_port.spend(span); }
    WaitStyle wait_style() const override;
    std::uint32_t call_number() const override { return x_port.call_count(); }
    void wait(const AwaitedReceive& awaited) override;

   private:
    Arrival arrival_of(std::uint32_t handle, bool is_early) const;
    /// A control message that makes the target's network interface do `action` and answer.
    Message& request(std::uint32_t handle, ArrivalAction action, MessageKind reply_kind,
                     std::uint64_t reply_bytes);

    /// The same receives, with what is known of which are needed; nothing if none is.
    std::span<const matching::PostedEntry> find_needed(std::span<const WaitingReceive> receives);

    RankPort& x_port;
    NeededReceives x_needed;
    TransportParameters x_parameters;
    // Kept for their memory.
    std::vector<std::uint32_t> x_calls;
    std::vector<matching::PostedEntry> x_posted;
};

}  // namespace kumi
