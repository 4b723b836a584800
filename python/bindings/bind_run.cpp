// kumihimo._core.Run: a run as the launcher sees it.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/name_in.hpp"
#include "bit_errors.hpp"
#include "call_places.hpp"
#include "collectives.hpp"
#include "conductor/port/run.hpp"
#include "conductor/records/records.hpp"
#include "configuration.hpp"
#include "described_network.hpp"
#include "matching_columns.hpp"
#include "network_summary.hpp"
#include "queue_depths.hpp"
#include "segment_reading.hpp"
#include "segment_text.hpp"
#include "service.hpp"

namespace nb = nanobind;

using namespace kumi;
using namespace kumi::conductor;

namespace {

using bindings::read_segment;
using bindings::StateDamaged;
using bindings::text_of;

ComputeMode compute_mode(const std::string& name) {
    if (name == "none") return ComputeMode::kNone;
    if (name == "measured") return ComputeMode::kMeasured;
    if (name == "counted") return ComputeMode::kCounted;
    throw std::invalid_argument(
        "compute_mode must be \"none\", \"measured\" or \"counted\", not \"" + name + "\"");
}

RunConfiguration configuration_of(std::uint32_t ranks, nb::dict config) {
    RunConfiguration run;
    run.ranks = ranks;
    run.cores_per_host = static_cast<std::uint32_t>(take_positive(config, "cores_per_host"));
    run.ranks_per_host = static_cast<std::uint32_t>(take_positive(config, "ranks_per_host"));
    run.endpoint = endpoint_parameters(config);
    run.poll_cost = {take_positive(config, "poll_cost_ps")};
    run.clock_cost = {take_integer(config, "clock_cost_ps")};
    if (config.contains("wake_cost_ps")) run.wake_cost = {take_integer(config, "wake_cost_ps")};
    run.node_flops = static_cast<std::uint64_t>(take_integer(config, "node_flops"));
    run.host_speed_num = take_positive(config, "host_speed_num");
    run.host_speed_den = take_positive(config, "host_speed_den");
    const std::int64_t limit_ps = take_integer(config, "time_limit_ps");
    if (limit_ps > 0) run.time_limit = earlier({limit_ps}, kEndOfTime);
    run.compute_mode = compute_mode(nb::cast<std::string>(config["compute_mode"]));
    run.detail = detail(nb::cast<std::string>(config["detail"]));
    run.profiles_calls =
        config.contains("profile_calls") && nb::cast<bool>(config["profile_calls"]);
    return run;
}

/// In the order of Phase.
constexpr const char* kPhaseNames[] = {"starting", "running", "ended"};

nb::dict progress_of(const Run& run) {
    const Progress progress = run.progress();
    nb::dict result;
    result["phase"] = name_in(kPhaseNames, progress.phase);
    result["virtual_ps"] = progress.virtual_time.ps;
    result["slowest_rank"] = progress.slowest_rank;
    result["holder"] = progress.holder;
    result["running"] = progress.running;
    result["attached"] = progress.attached;
    result["joined"] = progress.joined;
    result["messages"] = progress.messages;
    result["bytes"] = progress.bytes;
    result["control_messages"] = progress.control_messages;
    result["handovers"] = progress.handovers;
    // Of the start-up too: shows that the MPI library sends through our provider.
    result["posts"] = run.state().totals.posts;
    const PendingAbort& abort = run.state().diagnosis.pending_abort;
    result["pending_abort"] = nb::none();
    if (abort.is_there.load(std::memory_order_acquire))
        result["pending_abort"] = nb::make_tuple(abort.rank, abort.code);
    return result;
}

/// In the order of VerdictKind.
constexpr const char* kVerdictNames[] = {
    "",        "deadlock", "time_limit",    "abort",         "corrupt",
    "records", "refused",  "remote_access", "network_stuck", "no_route"};

nb::object verdict_of(const Run& run) {
    const Verdict& verdict = run.state().diagnosis.verdict;
    const VerdictKind kind = verdict.kind.load(std::memory_order_acquire);
    if (kind == VerdictKind::kNone) return nb::none();
    nb::dict result;
    result["kind"] = name_in(kVerdictNames, kind);
    result["rank"] = verdict.rank;
    result["code"] = verdict.code;
    result["limit_ps"] = run.state().configuration.time_limit.ps;
    result["is_end_of_time"] = run.state().configuration.time_limit == kEndOfTime;
    // Ranks do not know the names of links.
    if (kind == VerdictKind::kNetworkStuck)
        result["text"] = kumi::network::describe_circle(*run.state().network, run.fabric());
    else
        result["text"] = text_of(verdict.text, sizeof(verdict.text));
    return result;
}

nb::list names_of(const RefusedNames& refused) {
    nb::list names;
    const std::uint32_t count = refused.count.load(std::memory_order_acquire);
    for (std::uint32_t i = 0; i < std::min(count, RefusedNames::kMost); ++i)
        names.append(text_of(refused.names[i].text, sizeof(refused.names[i].text)));
    return names;
}

/// What programs assert of communicators: a row for each assertion that any call met.
nb::list assertions_of(const ConductorState& state) {
    nb::list rows;
    for (std::size_t i = 0; i < kAssertions; ++i) {
        AssertionTally sum;
        for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank) {
            const AssertionTally& tally = state.ranks[rank].seldom.asserted[i];
            sum.receives += tally.receives;
            sum.messages += tally.messages;
            sum.broken += tally.broken;
        }
        if (sum.receives + sum.messages + sum.broken == 0) continue;
        nb::dict row;
        row["assertion"] = kAssertionKeys[i];
        row["receives"] = sum.receives;
        row["messages"] = sum.messages;
        row["broken"] = sum.broken;
        row["broken_by"] = names_of(state.diagnosis.broken_by[i]);
        rows.append(row);
    }
    return rows;
}

/// Says in the rows of ranks what part of their computing was readings of the clock.
void add_clock_time(nb::list& rows, const Run& run) {
    for (std::uint32_t rank = 0; rank < run.state().configuration.ranks; ++rank) {
        const RankSlot& slot = run.state().ranks[rank];
        // A rank that was stopped may have been ahead of its states.
        const Duration computed = slot.totals.by_state[static_cast<int>(RankState::kCompute)];
        nb::handle row = rows[rank];
        row["clock_reading_ps"] = std::min(slot.seldom.clock_time.ps, computed.ps);
    }
}

void add_ranks(nb::dict& result, const Run& run) {
    const RowForm form = rank_form();
    nb::list rows, handovers;
    std::uint64_t clock_readings = 0;
    Duration clock_time{};
    for (std::uint32_t rank = 0; rank < run.state().configuration.ranks; ++rank) {
        const RankSlot& slot = run.state().ranks[rank];
        const auto spent = [&](RankState state) {
            return slot.totals.by_state[static_cast<int>(state)].ps;
        };
        rows.append(form.row(rank, slot.host, spent(RankState::kCompute),
                             spent(RankState::kCommunication), spent(RankState::kWait),
                             slot.clock.get().ps, slot.totals.messages_sent, slot.totals.bytes_sent,
                             slot.totals.messages_received, slot.totals.bytes_received));
        handovers.append(slot.totals.handovers);
        clock_readings += slot.seldom.clock_readings;
        clock_time += slot.seldom.clock_time;
    }
    result["clock_readings"] = clock_readings;
    if (clock_time.ps > 0) add_clock_time(rows, run);
    result["ranks"] = rows;
    result["handovers"] = handovers;
}

/// The clocks that show real time and that any rank has read.
nb::list real_clocks_of(const Run& run) {
    std::uint32_t read = 0;
    for (std::uint32_t rank = 0; rank < run.state().configuration.ranks; ++rank)
        read |= run.state().ranks[rank].facts.real_clocks.load(std::memory_order_relaxed);
    nb::list names;
    const auto add = [&](RealClock clock, const char* name) {
        if ((read & static_cast<std::uint32_t>(clock)) != 0) names.append(name);
    };
    add(RealClock::kUnwatchedCounter, "rdtsc (not watched)");
    add(RealClock::kKernelPage, "vDSO");
    add(RealClock::kTimer, "timers");
    add(RealClock::kCpuTime, "CPU time of others");
    add(RealClock::kThreadsInCalls, "threads that compute during MPI calls");
    return names;
}

nb::dict summary_of(const Run& run) {
    const ConductorState& state = run.state();
    if (state.phase.load() == Phase::kEnding && !run.has_whole_clocks())
        throw StateDamaged("a program has changed the clock of a rank");
    nb::dict result = network_summary(run.fabric(), *state.network, run.virtual_time());
    result["virtual_time_ps"] = run.virtual_time().ps;
    result["messages"] = state.totals.messages;
    result["bytes"] = state.totals.bytes;
    result["control_messages"] = state.totals.control_messages;
    result["control_bytes"] = state.totals.control_bytes;
    result["real_clocks"] = real_clocks_of(run);
    result["refused_calls"] = names_of(state.diagnosis.refused);
    result["unknown_hints"] = names_of(state.diagnosis.unknown_hints);
    result["assertions"] = assertions_of(state);
    if (state.bit_errors != nullptr)
        result["approximate"] = error_summary(state.bit_errors->counters());
    if (state.services != nullptr) {
        const endpoint::service::Parameters& service = state.configuration.endpoint.service;
        nb::list rows;
        for (std::uint32_t rank = 0; rank < state.rank_count(); ++rank) {
            rows.append(
                service_row(rank, state.services[rank], state.ranks[rank].endpoint.datagrams));
        }
        result["service"] = service_summary(service, std::move(rows));
    }
    if (state.collectives != nullptr)
        result["collectives"] = collective_summary(*state.collectives);
    add_ranks(result, run);
    MatchingColumns matching;
    for (std::uint32_t rank = 0; rank < state.configuration.ranks; ++rank)
        matching.append(state.ranks[rank].endpoint.account);
    result["matching"] = matching.to_dict();
    if (state.matching_sites != nullptr) result["matching_sites"] = matching_sites_of(state);
    if (state.call_sums != nullptr) result["call_sites"] = call_sites_of(state);
    if (state.queue_depths != nullptr) {
        QueueDepths depths;
        for (std::uint32_t rank = 0; rank < state.configuration.ranks; ++rank)
            depths.append(state.queue_depths[rank], state.ranks[rank].clock.get());
        result["queue_depths"] = depths.to_bytes();
    }
    return result;
}

/// Real and CPU time of the phases of a run, for host.json.
nb::dict host_times_of(const Run& run) {
    const ConductorState& state = run.state();
    std::int64_t start_ns = 0, virtual_ns = 0, measured_ns = 0;
    bool all_finished = true;
    for (std::uint32_t rank = 0; rank < state.configuration.ranks; ++rank) {
        const RankSlot& slot = state.ranks[rank];
        start_ns += slot.cpu.joined_ns;
        measured_ns += slot.cpu.measured_ns;
        all_finished = all_finished && slot.cpu.finished_ns > 0;
        if (slot.cpu.finished_ns > 0) virtual_ns += slot.cpu.finished_ns - slot.cpu.joined_ns;
    }
    constexpr double kSecond_ns = 1e9;
    const auto seconds = [](std::int64_t ns) { return static_cast<double>(ns) / kSecond_ns; };
    nb::dict result;
    result["began_s"] = seconds(state.began_ns);
    result["ended_s"] = seconds(state.ended_ns);
    result["start_cpu_s"] = seconds(start_ns);
    result["virtual_cpu_s"] = all_finished ? nb::cast(seconds(virtual_ns)) : nb::none();
    result["measured_cpu_s"] = seconds(measured_ns);
    return result;
}

std::uint32_t checked_rank(const Run& run, std::uint32_t rank) {
    if (rank < run.state().configuration.ranks) return rank;
    throw std::out_of_range("no such rank: " + std::to_string(rank));
}

nb::dict rank_status(const Run& run, std::uint32_t rank) {
    const RankSlot& slot = run.state().ranks[checked_rank(run, rank)];
    nb::dict result;
    result["host"] = slot.host;
    result["clock_ps"] = slot.clock.get().ps;
    result["clock_readings"] = slot.seldom.clock_readings;
    result["text"] = run.describe_rank(rank);
    result["finished"] = slot.status.load() >= RankStatus::kFinishing;
    const std::int32_t exit_code = slot.facts.exit_code.load();
    result["exit_code"] = exit_code < 0 ? nb::none() : nb::cast(exit_code);
    result["blocked"] = slot.status.load() == RankStatus::kBlocked;
    return result;
}

void connect_ahead(Run& run,
                   const std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>>& ranks) {
    std::vector<std::vector<endpoint::service::Traffic>> traffic(ranks.size());
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (const auto& [target, packets] : ranks[rank])
            traffic[rank].push_back({target, packets});
    run.connect_ahead(std::move(traffic));
}

void close_records(Run& run) {
    if (!run.close_records())
        throw std::system_error(errno, std::generic_category(), "writing the records");
}

struct Field {
    const char* name;
    std::size_t offset, size_bytes;
};

#define KUMI_FIELD(Record, name) \
    Field { #name, offsetof(Record, name), sizeof(Record::name) }

/// Notes where each field of a record lies, as [name, offset, size in bytes], and its size.
template <class Record>
void add_layout(nb::dict& layout, const std::string& name, std::initializer_list<Field> fields) {
    nb::list rows;
    for (const Field& field : fields) {
        nb::list row;
        row.append(field.name);
        row.append(field.offset);
        row.append(field.size_bytes);
        rows.append(row);
    }
    layout[name.c_str()] = rows;
    layout[(name + "_bytes").c_str()] = sizeof(Record);
}

nb::dict record_layout() {
    nb::dict layout;
    add_layout<ServiceMemoryRecord>(
        layout, "service_memory",
        {KUMI_FIELD(ServiceMemoryRecord, at_ps), KUMI_FIELD(ServiceMemoryRecord, memory_bytes),
         KUMI_FIELD(ServiceMemoryRecord, rank), KUMI_FIELD(ServiceMemoryRecord, connections),
         KUMI_FIELD(ServiceMemoryRecord, refused), KUMI_FIELD(ServiceMemoryRecord, closed)});
    add_layout<TrafficRecord>(
        layout, "traffic",
        {KUMI_FIELD(TrafficRecord, source), KUMI_FIELD(TrafficRecord, target),
         KUMI_FIELD(TrafficRecord, messages), KUMI_FIELD(TrafficRecord, packets)});
    add_layout<MessageRecord>(
        layout, "message",
        {KUMI_FIELD(MessageRecord, sequence), KUMI_FIELD(MessageRecord, source),
         KUMI_FIELD(MessageRecord, target), KUMI_FIELD(MessageRecord, size_bytes),
         KUMI_FIELD(MessageRecord, sent_ps), KUMI_FIELD(MessageRecord, arrived_ps),
         KUMI_FIELD(MessageRecord, zero_load_ps), KUMI_FIELD(MessageRecord, tag),
         KUMI_FIELD(MessageRecord, kind), KUMI_FIELD(MessageRecord, credit_wait_ps)});
    add_layout<StateRecord>(layout, "state",
                            {KUMI_FIELD(StateRecord, begin_ps), KUMI_FIELD(StateRecord, end_ps),
                             KUMI_FIELD(StateRecord, rank), KUMI_FIELD(StateRecord, state)});
    add_layout<QueueDepthRecord>(
        layout, "queue_depth",
        {KUMI_FIELD(QueueDepthRecord, begin_ps), KUMI_FIELD(QueueDepthRecord, end_ps),
         KUMI_FIELD(QueueDepthRecord, rank), KUMI_FIELD(QueueDepthRecord, posted),
         KUMI_FIELD(QueueDepthRecord, unexpected)});
    return layout;
}

#undef KUMI_FIELD

template <auto kRead>
auto reading(const Run& run) {
    return read_segment(run, [&] {
        if (!run.has_whole_guards())
            throw StateDamaged("a program has written where only the simulation may write");
        return kRead(run);
    });
}

}  // namespace

void bind_run(nb::module_& module) {
    nb::exception<StateDamaged>(module, "StateDamagedError", PyExc_RuntimeError);
    module.def("record_layout", &record_layout,
               "The layout of messages.bin and states.bin: per record the fields as\n"
               "[name, offset, bytes] and the record's size in bytes.");
    nb::class_<Run>(
        module, "Run",
        "A run in virtual time, as its launcher sees it: makes the shared segment that\n"
        "the ranks map, and looks into it. One at a time in a process.")
        .def(
            "__init__",
            [](Run* place, std::uint32_t ranks, const DescribedNetwork& network, nb::dict config,
               const std::string& record_dir, const std::vector<std::uint32_t>& rank_hosts,
               bool records_operations, bool records_calls, bool runs_ahead) {
                RunConfiguration configuration = configuration_of(ranks, config);
                configuration.records_operations = records_operations;
                configuration.records_calls = records_calls;
                configuration.runs_ahead = runs_ahead;
                new (place)
                    Run(configuration, network.fabric(), network.routing(), record_dir, rank_hosts);
            },
            nb::arg("ranks"), nb::arg("network"), nb::arg("config"), nb::arg("record_dir") = "",
            nb::arg("rank_hosts") = std::vector<std::uint32_t>(),
            nb::arg("records_operations") = false, nb::arg("records_calls") = false,
            nb::arg("runs_ahead") = true,
            "`record_dir` must exist; without it nothing is recorded. `rank_hosts` is the host of\n"
            "each rank; without it ranks fill the hosts one after another. With\n"
            "`records_operations` the file operations.bin holds what Schedule.from_run needs,\n"
            "with `records_calls` the file calls.bin what Schedule.from_calls needs.\n"
            "Without `runs_ahead` no rank goes on before it is known when a message arrives,\n"
            "and each message resumes its rank.\n"
            "\n"
            "Raises ValueError if a key of `config` is missing or impossible, or if the ranks do\n"
            "not fit on the network or on the hosts that are named.")
        .def_prop_ro("segment_path", &Run::segment_path, "For KUMI_SEGMENT of every rank.")
        .def(
            "use_cores",
            [](Run& run, const std::vector<int>& cores, bool always) {
                if (cores.empty()) throw nb::value_error("a run uses at least one core");
                run.use_cores(cores, always);
            },
            nb::arg("cores"), nb::arg("always") = false,
            "Processes may run on these cores of this computer, numbered as the system does,\n"
            "where that makes the run faster, or `always`; to be called before any is started; of\n"
            "many, the first 64. Raises ValueError if there is none.")
        .def("await_watch", &Run::await_watch,
             "Virtual time waits for note_watched; to be called before any process is started.")
        .def("note_watched", &Run::note_watched,
             "The launcher watches every process, and will know which one ends first.")
        .def(
            "allow_errors",
            [](Run& run, nb::handle policy) { run.allow_errors(error_policy(policy)); },
            nb::arg("policy"),
            "Messages may arrive with errors; to be called before any process is started, once.\n"
            "`policy` is a dict of protects_exact and seed (int) and rules: a list of dicts of\n"
            "elements and functions (lists of names), smallest_bytes, largest_bytes,\n"
            "protected_bits and exact (0 or 1). Raises ValueError if that is impossible.")
        .def("connect_ahead", &connect_ahead, nb::arg("traffic"),
             "With the service \"oracle\": for each rank, what it is going to send, as pairs of\n"
             "target and number of datagrams; to be called before any process is started, once.\n"
             "Raises ValueError if the service is another one, or the ranks are others.")
        .def(
            "schedule_collectives",
            [](Run& run, nb::handle settings) {
                run.schedule_collectives(collective_settings(settings));
            },
            nb::arg("settings"),
            "Collective calls of programs are carried out by schedules where that is possible;\n"
            "to be called before any process is started, once. `settings` is a dict of sides\n"
            "(list of int, of the torus or mesh of hosts, empty if there is none), is_torus (0\n"
            "or 1), packet_bytes, rule, guard_ps, jitter_ps, seed (int, of the jitter),\n"
            "in_kernel_only (0 or 1) and wakes_for_steps (0 or 1). Raises ValueError if that is\n"
            "impossible.")
        .def("progress", &reading<progress_of>,
             "Where the run stands now. Raises StateDamagedError, as all that follow.")
        .def("verdict", &reading<verdict_of>,
             "Why the run ended early, found by a rank; None if it did not.")
        .def(
            "rank_pid",
            [](const Run& run, std::uint32_t rank) {
                return read_segment(run, [&] {
                    return run.state().ranks[checked_rank(run, rank)].facts.pid.load();
                });
            },
            nb::arg("rank"), "Process id; 0 before the rank has attached.")
        .def(
            "rank_status",
            [](const Run& run, std::uint32_t rank) {
                return read_segment(run, [&] { return rank_status(run, rank); });
            },
            nb::arg("rank"), "What the rank is doing, in words.")
        .def(
            "close_records", [](Run& run) { read_segment(run, [&] { close_records(run); }); },
            "Writes what is still buffered; once, after all ranks have ended. Raises OSError.")
        .def("host_times", &reading<host_times_of>,
             "Real and CPU time in seconds: began_s and ended_s of virtual time, by the clock of\n"
             "time.monotonic, 0 if it did not; start_cpu_s and virtual_cpu_s of the ranks before\n"
             "and in virtual time (None if not all have finished); measured_cpu_s, the computing\n"
             "of ranks that was measured.")
        .def("summary", &reading<summary_of>,
             "Totals, a row for each rank and each link, use over time.");
}
