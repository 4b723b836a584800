#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conductor/segment/segment.hpp"
#include "conductor/segment/state.hpp"
#include "network/fabric.hpp"
#include "network/routing/routing.hpp"

namespace kumi::conductor {

/// Where a run stands, for the display.
struct Progress {
    Phase phase = Phase::kStarting;
    bool ended = false;      ///< Every rank has left virtual time.
    Instant virtual_time{};  ///< The smallest clock.
    std::uint32_t slowest_rank = 0;
    std::int32_t holder = -1;  ///< The rank that has the baton, else one that runs; -1 if none.
    std::vector<std::uint32_t> running;  ///< Ranks whose processes run.
    std::uint32_t attached = 0, joined = 0;
    std::uint64_t messages = 0, bytes = 0, control_messages = 0, handovers = 0;
};

/// A run as its launcher sees it: makes the segment, then only looks. Reading while ranks run gives
/// values of about now; after they have ended, exact ones.
class Run {
   public:
    /// `record_directory` must exist; empty: nothing is written. `rank_hosts` names the host of
    /// each rank; empty: ranks fill the hosts one after another. Throws std::invalid_argument if
    /// the ranks do not fit on the fabric's hosts, std::system_error if there is no memory.
    Run(const RunConfiguration& configuration, const network::FabricDescription& fabric,
        const network::Routing& routing, const std::string& record_directory,
        const std::vector<std::uint32_t>& rank_hosts = {});

    /// Processes may run on these cores (Cores::use): where they pay (CoreTrial), or always. To be
    /// called before any is started.
    void use_cores(std::span<const int> cores, bool always = false) {
        x_state->scheduling.cores.use(cores);
        if (always) x_state->scheduling.core_trial.end_trials();
    }
    /// Messages may arrive with errors as the policy says. To be called before any process is
    /// started, at most once.
    void allow_errors(const ErrorPolicy& policy);
    /// The service is an oracle, and this is what each rank is going to send. To be called before
    /// any process is started, at most once. Throws std::invalid_argument if the service is
    /// another one, or the traffic that of more or fewer ranks.
    void connect_ahead(std::vector<std::vector<endpoint::service::Traffic>> traffic);
    /// Collective calls of programs may be scheduled. To be called before any process is started,
    /// at most once. Throws std::invalid_argument if the sides are not those of the hosts.
    void schedule_collectives(const CollectiveSettings& settings);
    /// Virtual time waits for `note_watched`. To be called before any process is started.
    void await_watch() { x_state->counts.unwatched.store(1); }
    /// The launcher watches every process: it will know which one ends first.
    void note_watched();
    const std::string& segment_path() const { return x_segment.path(); }
    const ConductorState& state() const { return *x_state; }
    /// Whether what the launcher has made is still there. Ranks are programs of users, and may have
    /// written anywhere. O(1).
    bool is_intact() const;
    /// Whether all guard lines are as they were made. O(ranks).
    bool has_whole_guards() const;
    /// Whether the clocks are as ranks have left them. Only when all ranks have ended by
    /// themselves: one that was killed may have died while it moved its clock.
    bool has_whole_clocks() const;
    const network::FabricDescription& fabric() const { return x_fabric; }
    Progress progress() const;
    /// Writes what is still buffered. To be called once, after all ranks have ended. Returns false,
    /// with errno set, if that fails.
    [[nodiscard]] bool close_records();
    /// The run's virtual time: the largest clock of any rank so far.
    Instant virtual_time() const;
    /// What `rank` is doing, in words.
    std::string describe_rank(std::uint32_t rank) const;

   private:
    void stop_clocks_at_limit();

    Segment x_segment;
    network::FabricDescription x_fabric;
    ConductorState* x_state = nullptr;
    // What never changes, and where all that is read begins.
    std::uint32_t x_rank_count = 0;
    const RankSlot* x_ranks = nullptr;
    const network::Network* x_network = nullptr;
};

}  // namespace kumi::conductor
