#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "endpoint/testing/loop_driver.hpp"
#include "endpoint/testing/naive_endpoint.hpp"
#include "matching/testing/naive_matcher.hpp"

namespace kumi::endpoint {

/// Random traffic to one endpoint, each step from two bytes, and to the naive one. The rank
/// matches, or its interface at its own time. Functions return what is wrong; nullptr if nothing
/// is.
class EndpointBesideNaive {
   public:
    explicit EndpointBesideNaive(bool by_interface = false) : x_ranks(parameters()) {
        x_ranks.receiver.holds_payloads_back = true;
        x_ranks.receiver.endpoint.by_interface = by_interface;
    }

    const char* step(std::uint8_t what, std::uint8_t detail) {
        // Some steps find the interface busy, others do not.
        x_now += Duration{detail * std::int64_t{10'000'019}};
        x_ranks.receiver.at = x_now;
        if (detail % 5 == 0) x_ranks.receiver.take_deliveries(x_now);
        switch (what % 8) {
            case 0:
            case 1:
                send(what, detail);
                break;
            case 2:
                x_ranks.sender.take_all();
                x_ranks.other.take_all();
                if (const char* fault = look_at_one()) return fault;
                break;
            case 3:
                post(what, detail);
                break;
            case 4:
                post_several(detail);
                break;
            case 5:
                x_ranks.receiver.let_payload_arrive();
                break;
            case 6:
                if (const char* fault = look(what, detail)) return fault;
                break;
            case 7:
                if (const char* fault = cancel(detail)) return fault;
                break;
        }
        return check();
    }

    /// Everything arrives, and what is left is taken: all has been paid for once.
    const char* end() {
        LoopRank& receiver = x_ranks.receiver;
        for (const std::uint32_t request : x_receives) {
            if (const char* fault = cancel_one(request)) return fault;
        }
        do {
            if (const char* fault = look_at_all()) return fault;
        } while (receiver.let_payload_arrive());
        for (const bool tagged : {true, false}) {
            for (;;) {
                receiver.at = x_now;
                const matching::Search search =
                    receiver.protocol().look(matching::kAnything, tagged, true);
                (void)x_naive.look(matching::kAnything, tagged, true);
                if (search.found) receive_taken_out(search.id, tagged);
                if (const char* fault = check()) return fault;
                if (!search.found) break;
            }
        }
        do {
            if (const char* fault = look_at_all()) return fault;
        } while (receiver.let_payload_arrive());
        if (const char* fault = check()) return fault;
        receiver.take_deliveries(kEndOfTime);
        if (const char* fault = check()) return fault;
        const Endpoint& endpoint = receiver.endpoint;
        if (endpoint.envelopes != x_sent) return "not every message was looked at once";
        if (endpoint.matches != x_sent) return "not every message was matched once";
        if (endpoint.receptions != x_sent) return "not every message was received once";
        if (endpoint.under_way + x_ranks.sender.endpoint.under_way +
                x_ranks.other.endpoint.under_way !=
            0)
            return "something is still under way";
        return check_memory();
    }

   private:
    /// Each component by itself: a number that is charged wrongly does not fit.
    static constexpr matching::SearchComponents kPosted{.per_search = Duration{1'000'003},
                                                        .compare = Duration{7},
                                                        .capacity = 3,
                                                        .spilled = Duration{1'009}};
    static constexpr matching::SearchComponents kUnexpected{.per_search = Duration{10'000'019},
                                                            .compare = Duration{11},
                                                            .latency = Duration{2'003},
                                                            .cached_latency = Duration{101},
                                                            .per_access = 2,
                                                            .capacity = 5,
                                                            .spilled = Duration{5'003},
                                                            .spilled_per_access = 2};
    static constexpr Duration kHeadLatency{100'000'007};

    static Parameters parameters() {
        Parameters parameters = ThreeLoopRanks::usual();
        parameters.matching = {.posted = matching::SearchCost(kPosted),
                               .unexpected = matching::SearchCost(kUnexpected),
                               .head_latency = kHeadLatency,
                               .body_latency = Duration{1'000'000'007},
                               .payload_with_head_bytes = 48};
        return parameters;
    }

    void send(std::uint8_t what, std::uint8_t detail) {
        constexpr std::uint64_t kSizes[] = {0, 40, 100, 101, 150, 1'000};
        LoopRank& source = (detail & 1) != 0 ? x_ranks.sender : x_ranks.other;
        source.send(1, detail / 2 % 4, kSizes[what / 8 % 6], (detail & 8) != 0);
        ++x_sent;
    }
    const char* look_at_one() {
        LoopRank& receiver = x_ranks.receiver;
        receiver.at = x_now;
        const std::deque<std::uint32_t>& inbox = x_ranks.network.inboxes[1];
        if (inbox.empty()) return nullptr;
        const std::uint32_t number = inbox.front();
        const LoopMessage& message = x_ranks.network.messages[number];
        const Head& head = message.head;
        if (head.kind == HeadKind::kEager || head.kind == HeadKind::kRequestToSend)
            x_naive.arrived({number, {message.source, head.tag}, head.tagged, head.size_bytes});
        receiver.take_one();
        return check();
    }
    const char* look_at_all() {
        do {
            if (const char* fault = look_at_one()) return fault;
            x_ranks.sender.take_all();
            x_ranks.other.take_all();
        } while (!x_ranks.network.inboxes[1].empty());
        return nullptr;
    }
    static matching::Pattern pattern_of(std::uint8_t detail) {
        constexpr std::uint32_t kSources[] = {matching::kAnySource, 0, 2, 2};
        constexpr std::uint64_t kIgnored[] = {0, 1, 3, ~std::uint64_t{0}};
        return {kSources[detail % 4], detail / 4U % 4U, kIgnored[detail / 16 % 4]};
    }
    void post(std::uint8_t what, std::uint8_t detail) {
        const std::uint64_t capacity_bytes = (what & 64) != 0 ? 50 : 1'000;
        const bool tagged = (detail & 128) != 0;
        const matching::Pattern pattern = pattern_of(detail);
        const std::uint32_t number = x_ranks.receiver.make_receive(pattern, capacity_bytes, tagged);
        x_receives.push_back(number);
        x_naive.post({number, pattern, tagged, false, capacity_bytes});
        x_ranks.receiver.protocol().post(number);
    }
    void post_several(std::uint8_t detail) {
        constexpr std::uint64_t kCapacities[] = {30, 100, 400, 2'000};
        const std::uint64_t capacity_bytes = kCapacities[detail % 4];
        const std::uint32_t minimum_bytes = 1 + detail / 4U * 4U;
        const std::uint32_t number =
            x_ranks.receiver.make_receive(matching::kAnything, capacity_bytes, false);
        Request& request = x_ranks.network.requests[number];
        request.is_multi = true;
        request.minimum_bytes = minimum_bytes;
        x_receives.push_back(number);
        x_naive.post({number, matching::kAnything, false, true, capacity_bytes, minimum_bytes});
        x_ranks.receiver.protocol().post(number);
    }
    const char* look(std::uint8_t what, std::uint8_t detail) {
        const bool takes_out = (what & 64) != 0;
        const bool tagged = (what & 128) != 0;
        const matching::Search search =
            x_ranks.receiver.protocol().look(pattern_of(detail), tagged, takes_out);
        const std::optional<std::uint32_t> right =
            x_naive.look(pattern_of(detail), tagged, takes_out);
        if (search.found != right.has_value()) return "a look finds what is not there";
        if (right && search.id != *right) return "a look finds another message";
        if (right && takes_out) receive_taken_out(search.id, tagged);
        return nullptr;
    }
    void receive_taken_out(std::uint32_t message, bool tagged) {
        const std::uint32_t number = x_ranks.receiver.make_receive({}, 1'000, tagged);
        x_receives.push_back(number);
        x_naive.receive_taken_out(number, message);
        x_ranks.receiver.protocol().receive_taken_out(number, message);
    }
    const char* cancel(std::uint8_t detail) {
        return x_receives.empty() ? nullptr : cancel_one(x_receives[detail % x_receives.size()]);
    }
    const char* cancel_one(std::uint32_t request) {
        const bool is_cancelled = x_ranks.receiver.protocol().cancel(request);
        if (x_naive.cancel(request) != is_cancelled) return "a cancel has another outcome";
        if (is_cancelled) ++x_cancelled;
        return nullptr;
    }

    /// The next thing must take `cost`. `ended`, if there is one, its interface delivers after it.
    const char* pay(Duration cost, const Request* ended) {
        x_right += cost;
        x_line = later(x_line, x_now) + cost;
        if (!x_ranks.receiver.endpoint.by_interface || ended == nullptr) return nullptr;
        return ended->delivered_at == x_line ? nullptr
                                             : "the interface has delivered at another time";
    }
    Duration pay_search() {
        const auto [is_posted, entries] = x_naive.searches[x_paid++];
        return is_posted ? kHeadLatency + x_posted_matcher.search(entries)
                         : x_unexpected_matcher.search(entries);
    }

    const char* check() {
        const LoopRank& receiver = x_ranks.receiver;
        const bool by_interface = receiver.endpoint.by_interface;
        if (receiver.matches.size() != x_naive.matches.size()) return "there are other matches";
        for (; x_checked < x_naive.matches.size(); ++x_checked) {
            const auto [number, message] = receiver.matches[x_checked];
            const Request& request = x_ranks.network.requests[number];
            const bool is_part = request.parent != kNone;
            const NaiveEndpoint::Match found{is_part ? request.parent : number, message,
                                             is_part ? request.used_bytes : 0};
            if (found != x_naive.matches[x_checked]) return "a message has another receive";
            if (request.message != message) return "a receive does not know its message";
            // Each match comes of one search, but those of messages that were taken out.
            if (x_paid < x_naive.searches.size()) (void)pay(pay_search(), nullptr);
            const std::uint64_t size_bytes = receiver.message_of(number).head.size_bytes;
            if (size_bytes > x_ranks.network.parameters.eager_limit_bytes) continue;
            if (const char* fault =
                    pay(x_ranks.network.parameters.matching.of_payload(size_bytes), &request))
                return fault;
        }
        while (x_paid < x_naive.searches.size()) (void)pay(pay_search(), nullptr);
        if (by_interface && receiver.endpoint.interface.free != x_line)
            return "the interface is busy for another time";
        const Endpoint& endpoint = receiver.endpoint;
        if (receiver.completions.size() != endpoint.receptions + x_cancelled)
            return "other receives are complete";
        if (endpoint.matches != x_naive.matches.size()) return "matches are counted wrongly";
        const std::int64_t delivered = std::ranges::count_if(
            receiver.matches,
            [&](const auto& one) { return x_ranks.network.requests[one.first].is_delivered; });
        if (endpoint.matches - endpoint.receptions !=
            endpoint.under_way + static_cast<std::uint64_t>(delivered))
            return "what is neither received nor under way is lost";
        const Duration receptions = x_ranks.network.parameters.receive_overhead *
                                    static_cast<std::int64_t>(endpoint.receptions);
        const Duration right = (by_interface ? Duration{} : x_right) + receptions;
        return receiver.charged == right ? nullptr : "other costs are charged";
    }
    /// Buffers for several messages end with their last part, as their process ends them.
    const char* check_memory() {
        Requests& requests = x_ranks.network.requests;
        std::vector<std::uint32_t> parents;
        for (const std::uint32_t number : x_receives)
            if (requests[number].parts > 0) parents.push_back(number);
        for (const std::uint32_t number : parents) {
            Request& parent = requests[number];
            if (parent.is_cancelled) continue;
            parent.enter(RequestState::kComplete);
            requests.give_back(number);
        }
        for (LoopRank* rank : {&x_ranks.sender, &x_ranks.other, &x_ranks.receiver})
            rank->finish_all();
        if (requests.live() != 0) return "requests are left";
        if (x_ranks.network.has_double_release()) return "a message was released twice";
        return x_ranks.network.held() == 0 ? nullptr : "messages are left";
    }

    ThreeLoopRanks x_ranks;
    NaiveEndpoint x_naive;
    matching::NaiveMatcher x_posted_matcher{kPosted};
    matching::NaiveMatcher x_unexpected_matcher{kUnexpected};
    Duration x_right{};  ///< That matching should have cost so far.
    Instant x_now{};     ///< When the present step comes.
    Instant x_line{};    ///< When the interface should have ended all that.
    std::size_t x_paid = 0;
    std::vector<std::uint32_t> x_receives;
    std::size_t x_checked = 0;
    std::uint64_t x_sent = 0;
    std::uint64_t x_cancelled = 0;
};

}  // namespace kumi::endpoint
