#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "base/testing/arena_for_tests.hpp"
#include "endpoint/protocol.hpp"
#include "endpoint/send.hpp"

namespace kumi::endpoint {

/// A message within one process. Its number is its place among all that were ever sent.
struct LoopMessage {
    std::uint32_t source = 0;
    std::uint32_t target = 0;
    bool is_notice = false;
    int releases = 0;
    Head head{};
};

/// What several endpoints have in common: messages are delivered in the order in which they are
/// sent, as soon as their target looks.
struct LoopNetwork {
    explicit LoopNetwork(const Parameters& parameters_in_use) : parameters(parameters_in_use) {}

    /// Messages that were not released; each of the others was released once.
    std::size_t held() const {
        return static_cast<std::size_t>(std::ranges::count(messages, 0, &LoopMessage::releases));
    }
    bool has_double_release() const {
        return std::ranges::any_of(messages, [](const auto& one) { return one.releases > 1; });
    }

    Parameters parameters;
    ArenaForTests memory{std::size_t{1} << 26};
    Requests requests{&*memory};
    std::deque<LoopMessage> messages;
    std::vector<std::deque<std::uint32_t>> inboxes;
};

/// One rank: its endpoint, and all that this has asked for. Network interfaces answer at once, or
/// by a call.
class LoopRank final : private Driver {
   public:
    LoopRank(LoopNetwork& network, std::uint32_t rank) : x_network(network), x_rank(rank) {
        if (network.inboxes.size() <= rank) network.inboxes.resize(rank + 1);
    }

    Protocol protocol() {
        return {{x_network.parameters, *x_network.memory, x_network.requests}, endpoint, *this};
    }

    /// Sends a message; returns the number of the request that waits for its end, kNone if it is
    /// eager.
    std::uint32_t send(std::uint32_t target, std::uint64_t tag, std::uint64_t size_bytes,
                       bool tagged = true) {
        Head head{.tagged = tagged, .tag = tag, .size_bytes = size_bytes};
        std::uint32_t request = kNone;
        const Departure departure(x_network.parameters, size_bytes,
                                  x_network.parameters.eager_limit_bytes);
        if (departure.is_requested) {
            request = begin(RequestKind::kSend);
            departure.announce(head, x_network.requests.handle(request));
        }
        put(x_rank, target, head);
        return request;
    }
    /// A send, a read or a write that is under way.
    std::uint32_t begin(RequestKind kind) {
        const std::uint32_t request = x_network.requests.make(x_rank, kind);
        x_network.requests[request].enter(RequestState::kUnderWay);
        ++endpoint.under_way;
        return request;
    }
    /// A receive that is not posted yet.
    std::uint32_t make_receive(const matching::Pattern& pattern, std::uint64_t capacity_bytes,
                               bool tagged = true) {
        const std::uint32_t number = x_network.requests.make(x_rank, RequestKind::kReceive);
        Request& request = x_network.requests[number];
        request.pattern = pattern;
        request.capacity_bytes = capacity_bytes;
        request.tagged = tagged;
        return number;
    }
    std::uint32_t receive(const matching::Pattern& pattern, std::uint64_t capacity_bytes,
                          bool tagged = true) {
        const std::uint32_t number = make_receive(pattern, capacity_bytes, tagged);
        protocol().post(number);
        return number;
    }
    /// Of messages without tags, several.
    std::uint32_t receive_several(std::uint64_t capacity_bytes, std::uint32_t minimum_bytes = 1) {
        const std::uint32_t number = make_receive(matching::kAnything, capacity_bytes, false);
        x_network.requests[number].is_multi = true;
        x_network.requests[number].minimum_bytes = minimum_bytes;
        protocol().post(number);
        return number;
    }
    /// Any message from anywhere, also such as no endpoint sends; returns its number.
    std::uint32_t put(std::uint32_t source, std::uint32_t target, const Head& head,
                      bool is_notice = false) {
        x_network.messages.push_back({source, target, is_notice, 0, head});
        const auto number = static_cast<std::uint32_t>(x_network.messages.size() - 1);
        x_network.inboxes[target].push_back(number);
        return number;
    }

    /// Looks at the oldest message that has arrived; false if there is none.
    bool take_one() {
        std::deque<std::uint32_t>& inbox = x_network.inboxes[x_rank];
        if (inbox.empty()) return false;
        const std::uint32_t message = inbox.front();
        inbox.pop_front();
        protocol().arrived(kept(message));
        return true;
    }
    void take_all() {
        while (take_one()) {
        }
    }
    /// The oldest payload that was held back arrives; false if there is none.
    bool let_payload_arrive() {
        if (payloads_held_back.empty()) return false;
        const auto [source, head] = payloads_held_back.front();
        payloads_held_back.pop_front();
        put(source, x_rank, head);
        return true;
    }
    /// The rank takes what its interface has delivered until `until`.
    void take_deliveries(Instant until) {
        while (endpoint.deliveries.next_at(x_network.requests) <= until) {
            takes = true;
            protocol().take(endpoint.deliveries.take(x_network.requests));
            takes = false;
        }
    }
    /// The process has taken what it needs of a request that is complete.
    void finish(std::uint32_t request) {
        const std::uint32_t message = x_network.requests[request].message;
        if (message != kNone) release(message);
        x_network.requests.give_back(request);
    }
    void finish_all() {
        for (const std::uint32_t request : completions) finish(request);
        completions.clear();
    }
    const LoopMessage& message_of(std::uint32_t request) const {
        return x_network.messages[x_network.requests[request].message];
    }

    Endpoint endpoint;
    bool holds_payloads_back = false;
    std::deque<std::pair<std::uint32_t, Head>> payloads_held_back;  ///< With their sources.
    Duration charged{};
    int controls_sent = 0;
    std::vector<std::uint64_t> fetched_bytes;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> matches;  ///< Request, message.
    std::vector<std::uint32_t> completions;
    Instant at{};        ///< Of the interface, if that matches: when what comes to it comes.
    bool takes = false;  ///< The rank takes what its interface has delivered.

   private:
    void charge(Duration span) override {
        if (endpoint.by_interface && !takes)
            at = endpoint.interface.work(at, span);
        else
            charged += span;
    }
    Instant now() const override {
        return endpoint.by_interface && !takes ? at : Instant{} + charged;
    }
    void send(std::uint32_t target, const Head& head) override {
        ++controls_sent;
        put(x_rank, target, head);
    }
    void fetch(std::uint32_t target, std::uint64_t size_bytes, const Head& head) override {
        fetched_bytes.push_back(size_bytes);
        payloads_held_back.emplace_back(target, head);
        if (!holds_payloads_back) let_payload_arrive();
    }
    void release(std::uint32_t message) override { ++x_network.messages[message].releases; }
    Arrival kept(std::uint32_t message) override {
        const LoopMessage& one = x_network.messages[message];
        return {message, one.source, x_rank, one.is_notice, one.head};
    }
    void matched(std::uint32_t request, std::uint32_t message) override {
        matches.emplace_back(request, message);
    }
    void delivered(std::uint32_t request, Delivery kind) override {
        x_network.requests[request].delivered_at = at;
        endpoint.deliveries.add(x_network.requests, request, kind);
    }
    void completed(std::uint32_t request) override { completions.push_back(request); }

    LoopNetwork& x_network;
    std::uint32_t x_rank;
};

/// Three ranks, of which rank 1 receives.
struct ThreeLoopRanks {
    explicit ThreeLoopRanks(const Parameters& parameters = usual()) : network(parameters) {}

    static Parameters usual() {
        return {.eager_limit_bytes = 100,
                .receive_overhead = Duration{10'000},
                .matching = matching::CostModel::list(Duration{1})};
    }
    /// Until nothing is on its way.
    void settle() {
        while (sender.take_one() || receiver.take_one() || other.take_one()) {
        }
    }

    LoopNetwork network;
    LoopRank sender{network, 0};
    LoopRank receiver{network, 1};
    LoopRank other{network, 2};
};

}  // namespace kumi::endpoint
