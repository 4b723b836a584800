// Ranks as processes, over the simulated network, that send and receive at random: what they get is
// held against MPI's rules of matching.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>

#include "base/random/random_stream.hpp"
#include "transport/testing/transport_under_test.hpp"

namespace kumi::provider {
namespace {

constexpr std::uint64_t kAnyTag = 3;  // receives may ignore these bits of a tag
constexpr std::uint64_t kLastTag = 64;

/// What a message begins with, and what its other bytes are made from.
struct Stamp {
    std::uint32_t source = 0;
    std::uint32_t number = 0;  ///< Among the messages of the pair.
    std::uint64_t tag = 0;
    std::uint64_t size_bytes = 0;
};

struct Posted {
    matching::Pattern pattern;
    std::vector<std::byte> buffer;
    bool done = false;
    bool cancelled = false;
    transport::Completion completion;
    Stamp stamp;
};

std::byte filler(const Stamp& stamp, std::size_t at) {
    return static_cast<std::byte>(stamp.source * 31 + stamp.number * 7 + at);
}

/// One rank of the test; every check that fails has a number of its own, the rank's exit code.
class StressedRank final : public transport::RankUnderTest {
   public:
    StressedRank(conductor::AllPorts& of_rank, std::uint32_t seed)
        : RankUnderTest(of_rank), x_random(RandomStreams(seed, "test").of(port.rank()).stream()) {}

    int run() {
        for (int step = 0; step < 60; ++step) {
            port.compute(Duration{static_cast<std::int64_t>(below(2'000'000))});
            below(2) == 0 ? send_one() : post_one();
            if (below(4) == 0) poll();
        }
        say_that_all_is_sent();
        for (Posted& receive : x_receives) {
            if (!receive.done) in_call([&] { transport.cancel(&receive); });
        }
        wait_until([&] { return std::ranges::all_of(x_receives, &Posted::done); });
        drain();
        wait_until([&] { return x_sends_under_way == 0; });
        return check();
    }

    void complete(const transport::Completion& completion) override {
        if (completion.operation == transport::Completion::Operation::kSend) {
            --x_sends_under_way;
            return;
        }
        if (completion.context == this) {
            x_probed.push_back(completion);
            return;
        }
        auto& receive = *static_cast<Posted*>(completion.context);
        receive.done = true;
        receive.cancelled = completion.status == transport::Completion::Status::kCancelled;
        receive.completion = completion;
        const std::size_t known = std::min(sizeof(Stamp), completion.size_bytes);
        std::memcpy(&receive.stamp, receive.buffer.data(), receive.cancelled ? 0 : known);
    }

   private:
    std::uint64_t below(std::uint64_t limit) { return x_random.below(limit); }

    void send(std::uint32_t target, std::uint64_t tag, std::uint64_t size_bytes) {
        const Stamp stamp{port.rank(), x_numbers[target]++, tag, size_bytes};
        auto& payload = x_payloads.emplace_back(size_bytes);
        for (std::size_t i = 0; i < size_bytes; ++i) payload[i] = filler(stamp, i);
        std::memcpy(payload.data(), &stamp, sizeof stamp);
        transport::SendOptions options{.tag = tag, .buffer_reusable = below(3) == 0};
        ++x_sends_under_way;
        in_call([&] {
            transport.send(target, transport::Buffer::of(payload.data(), size_bytes), nullptr,
                           options);
        });
        if (options.buffer_reusable) std::ranges::fill(payload, std::byte{0xEE});
    }
    void send_one() {
        const std::uint64_t sizes[] = {sizeof(Stamp), 999, 1'000, 1'001, 70'000, 1'200'000};
        send(static_cast<std::uint32_t>(below(port.rank_count())), below(kAnyTag + 1),
             sizes[below(below(8) == 0 ? 6 : 5)]);
    }

    Posted& post(const matching::Pattern& pattern, std::size_t room_bytes) {
        Posted& receive = x_receives.emplace_back();
        receive.pattern = pattern;
        receive.buffer.resize(room_bytes);
        in_call([&] {
            transport.receive(pattern, transport::Buffer::of(receive.buffer.data(), room_bytes),
                              &receive, {});
        });
        return receive;
    }
    void post_one() {
        matching::Pattern pattern;
        if (below(2) == 0) pattern.source = static_cast<std::uint32_t>(below(port.rank_count()));
        pattern.tag = below(kAnyTag + 1);
        if (below(3) == 0) pattern.ignore = kAnyTag;
        post(pattern, below(4) == 0 ? 1'000 : 1'200'000);
    }

    /// A pair's messages arrive in order: once a rank has the last of each other, all are there.
    void say_that_all_is_sent() {
        for (std::uint32_t rank = 0; rank < port.rank_count(); ++rank)
            send(rank, kLastTag, sizeof(Stamp));
        for (std::uint32_t rank = 0; rank < port.rank_count(); ++rank) {
            const Posted& last = post({rank, kLastTag, 0}, sizeof(Stamp));
            wait_until([&] { return last.done; });
        }
    }

    /// Takes what no receive matched, by claims.
    void drain() {
        for (;;) {
            in_call([&] { transport.peek(matching::kAnything, this, true, false); });
            const transport::Completion seen = x_probed.back();
            if (seen.status == transport::Completion::Status::kNoMessage) return;
            Posted& receive = x_receives.emplace_back();
            receive.pattern = matching::kAnything;
            receive.buffer.resize(seen.size_bytes);
            in_call([&] {
                transport.peek(matching::kAnything, &receive, true, true);
                receive.done = false;
                transport.receive_claimed(
                    transport::Buffer::of(receive.buffer.data(), seen.size_bytes), &receive, false);
            });
            wait_until([&] { return receive.done; });
        }
    }

    int check() const {
        std::map<std::uint32_t, std::vector<bool>> got;  // by source, then number
        for (const Posted& receive : x_receives) {
            if (receive.cancelled) continue;
            if (const int wrong = check_message(receive)) return wrong;
            auto& numbers = got[receive.stamp.source];
            numbers.resize(std::max<std::size_t>(numbers.size(), receive.stamp.number + 1));
            if (numbers[receive.stamp.number]) return 10;  // twice
            numbers[receive.stamp.number] = true;
        }
        for (const auto& [source, numbers] : got)
            if (std::ranges::find(numbers, false) != numbers.end()) return 11;  // lost
        if (got.size() != port.rank_count()) return 12;
        return check_order();
    }

    static int check_message(const Posted& receive) {
        const transport::Completion& completion = receive.completion;
        const Stamp& stamp = receive.stamp;
        if (completion.size_bytes + completion.missing_bytes != stamp.size_bytes) return 20;
        if (completion.source != stamp.source || completion.tag != stamp.tag) return 21;
        if (!receive.pattern.accepts({stamp.source, stamp.tag})) return 22;
        const bool truncated = stamp.size_bytes > receive.buffer.size();
        if (truncated != (completion.status == transport::Completion::Status::kTruncated))
            return 23;
        for (std::size_t i = sizeof stamp; i < completion.size_bytes; ++i)
            if (receive.buffer[i] != filler(stamp, i)) return 24;
        return 0;
    }

    /// MPI's rule: of the messages of one source that a receive accepts it gets the first one that
    /// no earlier receive has got.
    int check_order() const {
        for (auto earlier = x_receives.begin(); earlier != x_receives.end(); ++earlier) {
            for (auto later = earlier + 1; later != x_receives.end(); ++later) {
                if (later->cancelled) continue;
                const Stamp& other = later->stamp;
                if (!earlier->pattern.accepts({other.source, other.tag})) continue;
                if (earlier->cancelled) return 30;  // the message was for the earlier receive
                if (earlier->stamp.source == other.source && other.number < earlier->stamp.number)
                    return 31;  // overtaken
            }
        }
        return 0;
    }

    RandomStream x_random;
    std::map<std::uint32_t, std::uint32_t> x_numbers;
    std::deque<std::vector<std::byte>> x_payloads;
    std::deque<Posted> x_receives;
    std::vector<transport::Completion> x_probed;
    int x_sends_under_way = 0;
};

std::uint64_t hash_of_a_run(std::uint32_t seed, std::uint32_t ranks_per_host) {
    conductor::RanksUnderTest ranks(
        4, {.endpoint = {.eager_limit_bytes = 1'000,
                         .control_bytes = 32,
                         .send_overhead = Duration{100'000},
                         .receive_overhead = Duration{200'000},
                         .matching = matching::CostModel::list(Duration{10'000})},
            .ranks_per_host = ranks_per_host,
            .poll_cost = Duration{50'000}});
    ranks.complete([seed](conductor::AllPorts& port) { return StressedRank(port, seed).run(); });
    const conductor::ConductorState& state = ranks.run->state();
    EXPECT_EQ(state.messages.live(), 0U);
    for (std::uint32_t rank = 0; rank < 4; ++rank) EXPECT_EQ(state.ranks[rank].due, 0U);
    return state.network->event_hash();
}

class MatchingStress : public transport::TransportTest {};

INSTANTIATE_TEST_SUITE_P(Memory, MatchingStress, testing::Bool(), transport::name_of_memory);

TEST_P(MatchingStress, RandomTrafficFollowsTheRulesAndRepeats) {
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        const std::uint32_t ranks_per_host = 1 + seed % 3;
        SCOPED_TRACE("seed " + std::to_string(seed));
        EXPECT_EQ(hash_of_a_run(seed, ranks_per_host), hash_of_a_run(seed, ranks_per_host));
    }
}

}  // namespace
}  // namespace kumi::provider
