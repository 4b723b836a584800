#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/time/time.hpp"

namespace kumi::endpoint {

/// A packet of a round, as the rank that sends it knows it.
struct StartPacket {
    std::uint32_t target = 0;  ///< Rank.
    Duration latency{};        ///< Over an idle network.
    Duration injection{};      ///< How long it occupies the first link of its path.
    bool stays_on_host = false;
};

/// Orders the packets of a round, which leave at once: those with the longest way first, because
/// the others have time. Adds to each latency the wait for the packets before it on the first link,
/// of the host or of its loopback. Returns the largest latency.
Duration put_in_order(std::vector<StartPacket>& packets);

/// Whose packets decide about the common start.
enum class StartRule : std::uint8_t {
    kCorrected,  ///< Those of all ranks of the group, the rank's own included.
    kPrinted,    ///< As published: those of all other ranks. The last rank to enter starts early.
};

/// What a rank knows of one round of one synchronisation.
struct StartCounter {
    Instant start{};            ///< The latest start that any packet so far asks for.
    std::uint32_t packets = 0;  ///< Number of packets that have arrived.
};

/// One rank's part in common starts, as a function of instants.
///
/// Ranks that synchronise are the points of a RankTorus. In round d a rank's group are the ranks of
/// its line in dimension d, so that it sends side - 1 packets a round. One dimension of all ranks
/// is one group.
///
/// All latencies are known. A rank s that enters a round at t sends a packet to each other rank of
/// its group. With T_s = t + (latency from s to the rank of the group that is farthest from s), a
/// rank that gets the packet at a knows T_s = a + (that largest latency - its own latency from s).
/// The round is over when all packets have arrived, at the latest T_s. Under the corrected rule
/// that is the same instant for all ranks of the group, and no common instant can be earlier. If
/// packets are late by up to J, ranks start at most J apart. Rounds follow each other: each begins
/// where the one before is over.
///
/// Packets of a later round, or of the next synchronisation, may arrive before the present round is
/// over. None of the synchronisation after that can: its sender needed a packet of this rank.
/// Therefore a packet carries its round and one bit of the number of its synchronisation.
class Synchroniser {
   public:
    /// Which round of which synchronisation a packet belongs to.
    struct Label {
        std::uint32_t round = 0;
        bool is_odd = false;  ///< The number of the synchronisation.
    };

    /// `counters`, two for each round and as new, must outlive it.
    explicit Synchroniser(std::span<StartCounter> counters) : x_counters(counters) {}
    Synchroniser() = default;

    /// Of the packets that the rank sends in its present round.
    Label label() const { return {x_round, x_is_odd}; }
    /// Whether the rank is in a synchronisation.
    bool is_inside() const { return x_is_inside; }

    /// The rank enters its present round. `farthest` is the largest latency to a rank of its group,
    /// 0 if it is alone.
    void enter(Instant when, Duration farthest, StartRule rule);
    /// A packet arrives; `rest` is how much longer the farthest rank waits for its own.
    void hear(Label label, Instant arrival, Duration rest);
    /// If the rank is in a round and all packets of the `others` have arrived: the instant at which
    /// that round is over, never before it was entered. The rank leaves the round, and after the
    /// last one the synchronisation.
    std::optional<Instant> leave_round(std::uint32_t others);

   private:
    std::uint32_t rounds() const { return static_cast<std::uint32_t>(x_counters.size() / 2); }
    StartCounter& counter(Label label) {
        return x_counters[(label.is_odd ? rounds() : 0) + label.round];
    }

    std::span<StartCounter> x_counters;
    std::uint32_t x_round = 0;
    bool x_is_odd = false;
    bool x_is_inside = false;
    bool x_is_in_round = false;  ///< It has entered its present round.
};

}  // namespace kumi::endpoint
