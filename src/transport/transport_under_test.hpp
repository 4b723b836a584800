#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "transport/transport.hpp"

namespace kumi {

/// A wire within one process: what one transport sends, another takes, in order; answers of the
/// "network interface" are given at once. Counts what it carries.
class LoopWire final : public Wire {
   public:
    struct Parcel {
        std::uint32_t source = 0;
        TrafficClass traffic = TrafficClass::kEager;
        std::uint64_t size_bytes = 0;
        std::vector<std::byte> head, payload;
        bool is_notice = false;
        bool is_synchronous = false;
    };
    using Network = std::vector<LoopWire*>;

    LoopWire(Network& network, std::uint32_t rank, bool reads_peers)
        : x_network(network), x_rank(rank), x_reads_peers(reads_peers) {
        parameters_in_use.eager_limit_bytes = 100;
        parameters_in_use.control_bytes = 8;
        parameters_in_use.send_overhead = {1'000};
        parameters_in_use.receive_overhead = {10'000};
        parameters_in_use.matching.per_entry = {1};
    }

    std::uint32_t rank() const override { return x_rank; }
    std::uint32_t rank_count() const override {
        return static_cast<std::uint32_t>(x_network.size());
    }
    const TransportParameters& parameters() const override { return parameters_in_use; }

    Outgoing prepare(std::uint32_t target, TrafficClass traffic, std::uint64_t size_bytes,
                     std::uint64_t payload_bytes, const void* head, std::uint64_t) override {
        Parcel& parcel = x_parcels[++x_handle];
        parcel = {x_rank, traffic, size_bytes, copy(head, kWireHeadBytes), {}};
        parcel.payload.resize(payload_bytes);
        parcel.is_synchronous = sends_synchronously;
        x_targets[x_handle] = target;
        return {x_handle, payload_bytes > 0 ? parcel.payload.data() : nullptr};
    }
    void send(Outgoing outgoing) override {
        Parcel parcel = x_parcels.extract(outgoing.handle).mapped();
        carried[parcel.traffic] += 1;
        x_network[x_targets[outgoing.handle]]->inbox.push_back(std::move(parcel));
    }
    void send_request(Outgoing outgoing) override {
        ++requests_sent;
        send(outgoing);
    }
    /// Delivered, and told so, at once.
    void send_with_notice(Outgoing outgoing) override {
        Parcel notice = x_parcels.at(outgoing.handle);
        notice.source = x_targets[outgoing.handle];
        notice.payload.clear();
        notice.is_notice = true;
        send(outgoing);
        inbox.push_back(std::move(notice));
    }
    void fetch(std::uint32_t target, std::uint64_t size_bytes, const void* head,
               std::uint64_t) override {
        (delays_payloads ? delayed : inbox)
            .push_back(
                {target, TrafficClass::kRendezvous, size_bytes, copy(head, kWireHeadBytes), {}});
        carried[TrafficClass::kRendezvous] += 1;
    }
    void get(std::uint32_t target, std::uint64_t key, std::uint64_t offset,
             std::uint64_t size_bytes, const void* head) override {
        const auto* from = reinterpret_cast<const std::byte*>(x_network[target]->regions.at(key));
        inbox.push_back({target, TrafficClass::kGet, size_bytes, copy(head, kWireHeadBytes),
                         copy(from + offset, size_bytes)});
    }
    void put(Outgoing outgoing, std::uint64_t key, std::uint64_t offset) override {
        const Parcel parcel = x_parcels.extract(outgoing.handle).mapped();
        const std::uint32_t target = x_targets[outgoing.handle];
        auto* into = reinterpret_cast<std::byte*>(x_network[target]->regions.at(key));
        std::memcpy(into + offset, parcel.payload.data(), parcel.payload.size());
        inbox.push_back({target, TrafficClass::kControl, 8, parcel.head, {}});
    }
    void expose(std::uint64_t key, std::uint64_t base, std::uint64_t) override {
        regions[key] = base;
    }
    void withdraw(std::uint64_t key) override { regions.erase(key); }
    bool can_read_peers() const override { return x_reads_peers; }
    void read_peer(std::uint32_t, std::uint64_t address, void* into,
                   std::size_t size_bytes) override {
        std::memcpy(into, reinterpret_cast<const void*>(address), size_bytes);
    }

    void come_into_time() override { ++times_in_time; }
    bool take_seen(Arrival&) override { return false; }
    void note_posted(std::uint32_t, std::uint64_t, std::uint64_t) override { ++posts_noted; }

    bool take(Arrival& arrival) override {
        if (inbox.empty()) return false;
        Parcel& parcel = x_parcels[++x_handle];
        parcel = std::move(inbox.front());
        inbox.pop_front();
        arrival = {x_handle,           parcel.source,         parcel.is_notice,
                   parcel.head.data(), parcel.payload.data(), parcel.payload.size()};
        arrival.is_synchronous = parcel.is_synchronous;
        return true;
    }
    void release(std::uint32_t handle) override { x_parcels.erase(handle); }
    std::size_t held() const { return x_parcels.size(); }

    void spend(Duration span) override { spent += span; }
    WaitStyle wait_style() const override { return style; }
    std::uint32_t call_number() const override { return call; }
    void wait(const AwaitedReceive& awaited) override {
        ++waits;
        last_awaited = awaited;
    }

    TransportParameters parameters_in_use;
    std::deque<Parcel> inbox;
    std::deque<Parcel> delayed;  ///< Payloads, if they are to arrive later than asked for.
    bool delays_payloads = false;
    bool sends_synchronously = false;
    std::map<TrafficClass, int> carried;
    int requests_sent = 0;
    std::map<std::uint64_t, std::uint64_t> regions;
    Duration spent{};
    WaitStyle style = WaitStyle::kBlocking;
    std::uint64_t call = 1;
    int waits = 0;
    AwaitedReceive last_awaited;
    int times_in_time = 0;
    int posts_noted = 0;

   private:
    static std::vector<std::byte> copy(const void* from, std::size_t size_bytes) {
        const auto* first = static_cast<const std::byte*>(from);
        return {first, first + size_bytes};
    }

    Network& x_network;
    std::uint32_t x_rank;
    bool x_reads_peers;
    std::uint32_t x_handle = 0;
    std::map<std::uint32_t, Parcel> x_parcels;
    std::map<std::uint32_t, std::uint32_t> x_targets;
};

/// One rank: its transport, and what it has completed.
struct Peer final : CompletionSink {
    Peer(LoopWire::Network& network, std::uint32_t rank, bool reads_peers)
        : wire(network, rank, reads_peers), transport(wire, *this) {
        network.push_back(&wire);
    }
    void complete(const Completion& completion) override { completions.push_back(completion); }
    void count_remote_access(Completion::Operation) override { ++remote_accesses; }

    /// The oldest completion, which is taken away. Fails the test if there is none.
    Completion next() {
        EXPECT_FALSE(completions.empty());
        if (completions.empty()) return {};
        const Completion first = completions.front();
        completions.pop_front();
        return first;
    }

    LoopWire wire;
    Transport transport;
    std::deque<Completion> completions;
    int remote_accesses = 0;
};

/// Rank 0 sends, rank 1 receives. The parameter: whether ranks can read each other's memory.
class TransportTest : public testing::TestWithParam<bool> {
   protected:
    LoopWire::Network network;
    Peer sender{network, 0, GetParam()};
    Peer receiver{network, 1, GetParam()};

    static Buffer all_of(std::string& text) { return Buffer::of(text.data(), text.size()); }
    void send(std::string& text, std::uint64_t tag, void* context = nullptr) {
        SendOptions options;
        options.tag = tag;
        sender.transport.send(1, all_of(text), context, options);
    }
    void receive(std::string& into, const matching::Pattern& pattern, void* context = nullptr) {
        receiver.transport.receive(pattern, all_of(into), context, {});
    }
    /// Until nothing is on its way.
    void settle() {
        while (!sender.wire.inbox.empty() || !receiver.wire.inbox.empty()) {
            receiver.transport.progress();
            sender.transport.progress();
        }
    }
};

}  // namespace kumi
