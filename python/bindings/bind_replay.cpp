// kumihimo._core.Replay: a schedule on its way over a platform.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <system_error>
#include <vector>

#include "bit_errors.hpp"
#include "collectives.hpp"
#include "configuration.hpp"
#include "described_network.hpp"
#include "matching_columns.hpp"
#include "network_summary.hpp"
#include "queue_depths.hpp"
#include "schedule/replay/replay.hpp"
#include "service.hpp"
#include "system_errors.hpp"

namespace nb = nanobind;

using namespace kumi;
using namespace kumi::schedule;

namespace {

/// A replay with the platform that it runs on; both belong to Python objects that stay alive.
class ReplayOnNetwork {
   public:
    ReplayOnNetwork(const Schedule& schedule, const DescribedNetwork& network,
                    const nb::dict& config, const std::string& record_directory,
                    std::vector<std::uint32_t> rank_hosts)
        : x_fabric(network.fabric()),
          x_replay(schedule, replay_parameters(config, std::move(rank_hosts)), x_fabric,
                   network.routing(),
                   {detail(nb::cast<std::string>(config["detail"])), record_directory}) {}

    Replay& replay() { return x_replay; }
    const Replay& replay() const { return x_replay; }
    const network::FabricDescription& fabric() const { return x_fabric; }

   private:
    const network::FabricDescription& x_fabric;
    Replay x_replay;
};

/// Does `work`; a failure to write becomes OSError.
template <class Work>
auto writing(Work&& work) -> decltype(work()) {
    try {
        const nb::gil_scoped_release released;
        return work();
    } catch (const std::system_error& error) {
        throw_os_error(error);
    }
}

nb::dict progress_of(const ReplayOnNetwork& owner) {
    const ReplayProgress progress = owner.replay().progress();
    nb::dict result;
    result["virtual_ps"] = progress.virtual_time.ps;
    result["operations_done"] = progress.operations_done;
    result["operations"] = progress.operations;
    result["events"] = progress.events;
    result["messages"] = progress.messages;
    return result;
}

nb::list rank_rows(const Replay& replay) {
    const RowForm form = rank_form();
    nb::list rows;
    for (std::uint32_t rank = 0; rank < replay.ranks(); ++rank) {
        const ReplayedRank of = replay.rank(rank);
        rows.append(form.row(rank, of.host, of.compute.ps, of.communication.ps, of.wait.ps,
                             of.finish.ps, of.messages_sent, of.bytes_sent, of.messages_received,
                             of.bytes_received));
    }
    return rows;
}

nb::dict services_of(const ReplayServices& services) {
    nb::list rows;
    for (std::size_t rank = 0; rank < services.accounts().size(); ++rank) {
        rows.append(service_row(static_cast<std::uint32_t>(rank), services.accounts()[rank],
                                services.packets_received()[rank]));
    }
    return service_summary(services.parameters(), std::move(rows));
}

nb::dict summary_of(const ReplayOnNetwork& owner) {
    const Replay& replay = owner.replay();
    const ReplayProgress progress = replay.progress();
    nb::dict result = network_summary(owner.fabric(), replay.network(), replay.virtual_time());
    result["virtual_time_ps"] = replay.virtual_time().ps;
    result["messages"] = progress.messages;
    result["bytes"] = progress.bytes;
    result["control_messages"] = progress.control_messages;
    result["control_bytes"] = progress.control_bytes;
    result["ranks"] = rank_rows(replay);
    MatchingColumns matching;
    for (const matching::Account& account : replay.matching_accounts()) matching.append(account);
    if (!matching.is_empty()) result["matching"] = matching.to_dict();
    QueueDepths depths;
    for (const matching::DepthLine& line : replay.queue_depths())
        depths.append(line, replay.rank(depths.ranks()).finish);
    if (depths.ranks() > 0) result["queue_depths"] = depths.to_bytes();
    if (replay.services() != nullptr) result["service"] = services_of(*replay.services());
    if (replay.errors() != nullptr)
        result["approximate"] = error_summary(*replay.errors(), /*is_replay=*/true);
    if (replay.starts() != nullptr) result["collectives"] = start_totals(*replay.starts());
    return result;
}

nb::list stuck_ranks(const ReplayOnNetwork& owner, std::size_t most) {
    nb::list rows;
    for (const StuckRank& stuck : owner.replay().stuck_ranks(most)) {
        rows.append(nb::make_tuple(stuck.rank, stuck.waits_for));
    }
    return rows;
}

nb::object truncated_of(const ReplayOnNetwork& owner) {
    const auto& message = owner.replay().truncated();
    if (!message) return nb::none();
    nb::dict row;
    row["source"] = message->source;
    row["send"] = message->send;
    row["target"] = message->target;
    row["receive"] = message->receive;
    row["size_bytes"] = message->size_bytes;
    row["room_bytes"] = message->room_bytes;
    return row;
}

nb::list unreceived_of(const ReplayOnNetwork& owner) {
    nb::list rows;
    for (const UnreceivedMessage& message : owner.replay().unreceived_messages()) {
        nb::dict row;
        row["source"] = message.source;
        row["send"] = message.send;
        row["target"] = message.target;
        row["tag"] = message.tag;
        row["size_bytes"] = message.size_bytes;
        rows.append(row);
    }
    return rows;
}

}  // namespace

void bind_replay(nb::module_& module) {
    nb::class_<ReplayOnNetwork>(module, "Replay",
                                "A schedule that is executed over a network in virtual time.")
        .def(
            "__init__",
            [](ReplayOnNetwork* place, const Schedule& schedule, const DescribedNetwork& network,
               const nb::dict& config, const std::string& record_dir,
               std::vector<std::uint32_t> rank_hosts) {
                try {
                    new (place) ReplayOnNetwork(schedule, network, config, record_dir,
                                                std::move(rank_hosts));
                } catch (const std::system_error& error) {
                    throw_os_error(error);
                }
            },
            nb::arg("schedule"), nb::arg("network"), nb::arg("config"), nb::arg("record_dir") = "",
            nb::arg("rank_hosts") = std::vector<std::uint32_t>(), nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>(),
            "`config`, `record_dir` and `rank_hosts` are those of Run, which has more keys in\n"
            "its `config`. Only a replay reads seed (of errors in messages and of jitter),\n"
            "start_bytes, start_rule, start_jitter_ps and start_sides, the sides of the grid of\n"
            "hosts along which ranks synchronise. Raises ValueError as Run does, and OSError if\n"
            "records cannot be written or there is no space for a temporary file.")
        .def(
            "advance",
            [](ReplayOnNetwork& owner, std::uint64_t events) {
                return writing([&] { return owner.replay().advance(events); });
            },
            nb::arg("events"),
            "Executes at most `events` events of the network; False if nothing more can happen\n"
            "within the limit of virtual time. Raises OSError if records cannot be written,\n"
            "OverflowError at the end of virtual time.")
        .def("progress", &progress_of,
             "A dict of virtual_ps, operations_done, operations, events and messages.")
        .def_prop_ro(
            "virtual_time_ps",
            [](const ReplayOnNetwork& owner) { return owner.replay().virtual_time().ps; },
            "The end of the last operation so far, and of the last event if some are left.")
        .def_prop_ro(
            "is_complete",
            [](const ReplayOnNetwork& owner) { return owner.replay().is_complete(); },
            "Whether every operation has been executed.")
        .def_prop_ro(
            "is_over_time",
            [](const ReplayOnNetwork& owner) { return owner.replay().is_over_time(); },
            "Whether something lies behind the limit of virtual time.")
        .def_prop_ro("truncated", &truncated_of,
                     "The message that ended the replay because it is too large for its receive:\n"
                     "a dict of source, send, target, receive (numbers of operations in their\n"
                     "ranks), size_bytes and room_bytes; None if there was none.")
        .def_prop_ro(
            "truncated_messages",
            [](const ReplayOnNetwork& owner) { return owner.replay().truncated_messages(); },
            "How many messages were larger than their receives, if that is allowed.")
        .def("unreceived_messages", &unreceived_of,
             "Messages that have arrived and were not received, but for those of recorded runs:\n"
             "dicts of source, send, target, tag and size_bytes. For the end.")
        .def_prop_ro(
            "unconnected",
            [](const ReplayOnNetwork& owner) -> nb::object {
                const auto& ranks = owner.replay().unconnected();
                if (!ranks) return nb::none();
                return nb::make_tuple(
                    nb::make_tuple(ranks->from, owner.replay().rank(ranks->from).host),
                    nb::make_tuple(ranks->to, owner.replay().rank(ranks->to).host));
            },
            "The two ranks of the message that ended the replay because it had no path, the\n"
            "sender first, each with its host; None if there was none.")
        .def_prop_ro(
            "network_deadlock",
            [](const ReplayOnNetwork& owner) {
                return network::describe_circle(owner.replay().network(), owner.fabric());
            },
            "What keeps the messages on their way from moving, in words; empty if nothing does.")
        .def("stuck_ranks", &stuck_ranks, nb::arg("most"),
             "The first ranks that have something left to do: pairs of rank and what it waits for.")
        .def(
            "close_records",
            [](ReplayOnNetwork& owner) { writing([&] { owner.replay().close_records(); }); },
            "Writes what is still buffered; once, at the end. Raises OSError.")
        .def("summary", &summary_of,
             "As Run.summary, `service` included if there is one, `collectives` if ranks\n"
             "synchronise or wait for instants after that, and `approximate` if the schedule is\n"
             "of a run that allowed errors; what of that follows from payloads or rules is None.");
}
