#include "conductor/port/run.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "base/name_in.hpp"
#include "conductor/delivery/services.hpp"
#include "conductor/pairing/running_ahead.hpp"
#include "conductor/ranks/rank_states.hpp"
#include "conductor/system/futex.hpp"
#include "conductor/system/process_memory.hpp"

namespace kumi::conductor {
namespace {

/// An upper limit, not what is used: pages that are not touched do not exist.
constexpr std::size_t kSegmentBytes = std::size_t{1} << 38;
/// More than there can be.
constexpr std::uint64_t kMostHosts = std::uint64_t{1} << 32;

void check(const RunConfiguration& configuration, const network::FabricDescription& fabric) {
    // For the seals of messages.
    if (!__builtin_cpu_supports("sse4.2"))
        throw std::invalid_argument("a run needs a processor with SSE 4.2, as most since 2008");
    if (configuration.ranks == 0) throw std::invalid_argument("a run needs at least one rank");
    if (configuration.ranks_per_host == 0)
        throw std::invalid_argument("a host needs room for at least one rank");
    if (configuration.compute_mode == ComputeMode::kCounted && configuration.node_flops == 0)
        throw std::invalid_argument("counted work needs the speed of a node");
    // A schedule of message steps has no words for what an interface does in parallel with its
    // rank.
    if (configuration.records_operations && configuration.endpoint.matches_by_interface)
        throw std::invalid_argument(
            "mpi.matching.by: a schedule is recorded only where the host matches: expected "
            "\"host\", not \"interface\", or kumihimo record --of calls");
    const std::uint64_t room = std::uint64_t{fabric.hosts} * configuration.ranks_per_host;
    if (configuration.ranks <= room) return;
    throw std::invalid_argument(std::to_string(configuration.ranks) +
                                " ranks do not fit: the platform has " +
                                std::to_string(fabric.hosts) + " hosts with room for " +
                                std::to_string(configuration.ranks_per_host) + " each");
}

const char* name_of(RankStatus status) {
    static constexpr const char* kNames[] = {"has not started",
                                             "is starting",
                                             "waits for the others to start",
                                             "runs",
                                             "waits",
                                             "waits for the others in MPI_Finalize",
                                             "has finished"};
    return name_in(kNames, status, "?");
}

/// Each host that has a rank, once.
std::vector<network::HostId> hosts_of_ranks(ConductorState& state) {
    std::vector<network::HostId> hosts;
    for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank)
        hosts.push_back(state.slot(rank).host);
    std::ranges::sort(hosts);
    const auto repeated = std::ranges::unique(hosts);
    hosts.erase(repeated.begin(), repeated.end());
    return hosts;
}

}  // namespace

Run::Run(const RunConfiguration& configuration, const network::FabricDescription& fabric,
         const network::Routing& routing, const std::string& record_directory,
         const std::vector<std::uint32_t>& rank_hosts)
    : x_segment((check(configuration, fabric), Segment::possible_bytes(kSegmentBytes))),
      x_fabric(fabric) {
    network::check_rank_hosts(fabric, rank_hosts, configuration.ranks,
                              configuration.ranks_per_host);
    Arena* arena = Arena::create(x_segment.usable_base(), x_segment.usable_bytes(), true);
    x_state = arena->make<ConductorState>(arena, configuration);
    for (std::uint32_t rank = 0; rank < rank_hosts.size(); ++rank)
        x_state->slot(rank).host = rank_hosts[rank];
    // Of a large network most hosts may have no rank.
    x_state->network = network::Network::create(*arena, fabric, routing, hosts_of_ranks(*x_state));
    if (configuration.endpoint.service.kind != endpoint::service::Kind::kNone)
        x_state->services = arena->make_array<endpoint::service::Account>(configuration.ranks);
    if (!configuration.endpoint.matching.is_free()) {
        x_state->matching_sites = static_cast<MatchingSites*>(
            arena->allocate_zeros(configuration.ranks * sizeof(MatchingSites)));
    }
    if (configuration.detail == Detail::kFull) {
        x_state->network->keep_power_log();
        x_state->network->keep_arrivals();
        x_state->queue_depths = arena->make_array<matching::DepthLine>(configuration.ranks);
    }
    if (x_state->network->takes_wake_frames() || configuration.profiles_calls) {
        for (std::uint32_t rank = 0; rank < configuration.ranks; ++rank)
            x_state->slot(rank).sent = arena->make<SentMessages>(*arena, configuration.ranks);
    }
    if (configuration.profiles_calls) {
        x_state->call_sums =
            static_cast<CallSums*>(arena->allocate(configuration.ranks * sizeof(CallSums)));
        std::uninitialized_fill_n(x_state->call_sums, configuration.ranks,
                                  CallSums(configuration.ranks));
    }
    if (!can_run_ahead(*x_state)) keep_all_in_time(*x_state);
    x_state->lookahead = x_state->network->minimum_latency();
    if (configuration.ranks_per_host > 1)
        x_state->lookahead = std::min(x_state->lookahead, x_state->network->loopback_latency());
    // Ranks may change their working directory.
    if (!record_directory.empty())
        x_state->recorder.set_directory(std::filesystem::absolute(record_directory).c_str());
    // An oracle has its connections first.
    const auto kind = configuration.endpoint.service.kind;
    if (kind != endpoint::service::Kind::kNone && kind != endpoint::service::Kind::kOracle)
        note_first_memory(*x_state);
    x_state->launcher_pid = ::getpid();
    allow_access_by_others();
    x_rank_count = configuration.ranks;
    x_ranks = x_state->ranks;
    x_network = x_state->network;
    x_segment.publish(x_state);
}

bool Run::is_intact() const {
    return x_state->magic == ConductorState::kMagic &&
           x_state->configuration.ranks == x_rank_count && x_state->ranks == x_ranks &&
           x_state->network == x_network;
}

bool Run::has_whole_guards() const {
    return x_segment.has_whole_guard() && x_state->guard_in_front.is_whole() &&
           x_state->guard_behind.is_whole() &&
           std::all_of(x_ranks, x_ranks + x_rank_count,
                       [](const RankSlot& slot) { return slot.guard.is_whole(); });
}

bool Run::has_whole_clocks() const {
    return std::all_of(x_ranks, x_ranks + x_rank_count,
                       [](const RankSlot& slot) { return slot.clock.is_whole(); });
}

void Run::allow_errors(const ErrorPolicy& policy) {
    x_state->bit_errors =
        x_state->arena->make<BitErrors>(*x_state->arena, policy, x_state->configuration.ranks);
    x_state->configuration.classifies_messages = true;
    x_state->configuration.classifies_communicators = policy.asks_for_communicators();
}

void Run::connect_ahead(std::vector<std::vector<endpoint::service::Traffic>> traffic) {
    const std::uint32_t ranks = x_state->rank_count();
    if (x_state->configuration.endpoint.service.kind != endpoint::service::Kind::kOracle)
        throw std::invalid_argument("only an oracle knows the traffic ahead");
    if (traffic.size() != ranks) throw std::invalid_argument("the traffic is of other ranks");
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        for (const endpoint::service::Traffic& each : traffic[rank])
            if (each.target >= ranks) throw std::invalid_argument("the traffic is of other ranks");
        kumi::conductor::connect_ahead(*x_state, rank, traffic[rank]);
    }
    accept_ahead(*x_state);
    note_first_memory(*x_state);
}

void Run::schedule_collectives(const CollectiveSettings& settings) {
    std::uint64_t hosts = 1;
    for (const std::uint32_t side : settings.sides) hosts = std::min(hosts * side, kMostHosts);
    if (!settings.sides.empty() && hosts != x_fabric.hosts)
        throw std::invalid_argument("the sides of the grid are not those of the hosts");
    x_state->collectives = x_state->arena->make<Collectives>(*x_state->arena, settings);
}

void Run::note_watched() {
    x_state->counts.unwatched.store(0);
    futex_notify(x_state->counts.unwatched);
}

Progress Run::progress() const {
    Progress progress;
    progress.phase = x_state->phase.load();
    progress.ended = progress.phase == Phase::kEnding;
    progress.holder = x_state->holder.load();
    progress.attached = x_state->counts.attached.load();
    progress.joined = x_state->counts.joined.load();
    progress.messages = x_state->totals.messages;
    progress.bytes = x_state->totals.bytes;
    progress.control_messages = x_state->totals.control_messages;
    progress.handovers = x_state->handovers.load();
    progress.virtual_time = kNever;
    for (std::uint32_t rank = 0; rank < x_state->rank_count(); ++rank) {
        const RankSlot& slot = x_state->slot(rank);
        const bool has_baton = progress.holder == static_cast<std::int32_t>(rank);
        if (has_baton || (slot.turn.is_away && slot.process == ProcessState::kRuns))
            progress.running.push_back(rank);
        const Instant clock = slot.clock;
        if (clock >= progress.virtual_time) continue;
        progress.virtual_time = clock;
        progress.slowest_rank = rank;
    }
    if (progress.holder < 0 && !progress.running.empty())
        progress.holder = static_cast<std::int32_t>(progress.running.front());
    return progress;
}

/// When the limit of time has ended the run, all that lies before it has happened: each rank that
/// did not finish is at the limit, and does what it did last.
void Run::stop_clocks_at_limit() {
    const Instant limit = x_state->configuration.time_limit;
    for (std::uint32_t rank = 0; rank < x_state->rank_count(); ++rank) {
        RankSlot& slot = x_state->slot(rank);
        if (slot.status.load() >= RankStatus::kFinishing) continue;
        slot.clock = limit;
        enter_state(*x_state, rank, slot.state);
    }
}

bool Run::close_records() {
    if (x_state->diagnosis.verdict.kind.load() == VerdictKind::kTimeLimit) stop_clocks_at_limit();
    for (std::uint32_t rank = 0; rank < x_state->rank_count(); ++rank)
        record_last_stretch(*x_state, rank);
    return record_traffic(*x_state) && x_state->recorder.flush();
}

Instant Run::virtual_time() const {
    Instant latest{};
    for (std::uint32_t rank = 0; rank < x_state->rank_count(); ++rank)
        latest = later(latest, x_state->slot(rank).clock);
    return latest;
}

std::string Run::describe_rank(std::uint32_t rank) const {
    const RankSlot& slot = x_state->slot(rank);
    const RankStatus status = slot.status.load();
    std::string text = name_of(status);
    if (status != RankStatus::kBlocked && status != RankStatus::kRunnable) return text;
    if (slot.call_class != CallClass::kLocal)
        text += std::string(" in ") +
                std::string(slot.call.name.text,
                            strnlen(slot.call.name.text, sizeof slot.call.name.text));
    if (status != RankStatus::kBlocked || slot.call.waiting_count == 0) return text;
    const std::uint32_t source = x_state->requests[slot.call.waiting_for].pattern.source;
    text += source == matching::kAnySource ? " for a message from any rank"
                                           : " for a message from rank " + std::to_string(source);
    if (slot.call.waiting_count > 1)
        text += " and " + std::to_string(slot.call.waiting_count - 1) + " more";
    return text;
}

}  // namespace kumi::conductor
