// kumihimo._core.Schedule: what every rank of a program does, and the patterns that make one.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "conductor/messages/bit_errors.hpp"
#include "conductor/records/records.hpp"
#include "configuration.hpp"
#include "schedule/files/schedule_file.hpp"
#include "schedule/goal/goal.hpp"
#include "schedule/joined_schedule.hpp"
#include "schedule/patterns/patterns.hpp"
#include "schedule/patterns/step_times.hpp"
#include "schedule/recorded/recorded_calls.hpp"
#include "schedule/recorded/recorded_run.hpp"
#include "schedule/work_watch.hpp"
#include "step_checks.hpp"
#include "system_errors.hpp"

namespace nb = nanobind;

namespace {

using namespace kumi;
using namespace kumi::schedule;

/// Does `work` without the interpreter's lock; its errors become ValueError and OSError.
template <class Work>
auto unlocked(Work&& work) -> decltype(work()) {
    try {
        const nb::gil_scoped_release released;
        return work();
    } catch (const ScheduleError& error) {
        throw nb::value_error(error.what());
    } catch (const std::system_error& error) {
        throw_os_error(error);
    }
}

/// Does `work` as `unlocked` does; `look`, unless it is None, is given the number of operations so
/// far from time to time, and ends the work with what it raises.
template <class Work>
auto watched(const nb::object& look, Work&& work) -> decltype(work()) {
    if (look.is_none()) return unlocked(work);
    const WorkWatch watch([&](std::uint64_t operations) {
        const nb::gil_scoped_acquire acquired;
        look(operations);
    });
    return unlocked(work);
}

nb::dict steps_of_schedule(const Schedule& schedule, const DescribedNetwork& network,
                           const std::vector<std::uint32_t>& rank_hosts, const nb::object& look) {
    const StepCheck check = watched(look, [&] {
        return checked_steps(messages_of(schedule), schedule.ranks(), network, rank_hosts);
    });
    return dict_of(check, network);
}

ScheduleForm form_of(const std::string& name) {
    if (name == "goal") return ScheduleForm::kGoal;
    if (name == "portable") return ScheduleForm::kPortableGoal;
    if (name == "binary") return ScheduleForm::kBinary;
    throw std::invalid_argument("a schedule's form is \"goal\", \"plain\" or \"binary\", not \"" +
                                name + "\"");
}

/// A pattern with all that its schedule is made from.
struct AskedPattern {
    std::string name;
    collectives::PatternParameters parameters;
    std::uint32_t iterations;
};

void ask_pattern(AskedPattern* asked, const std::string& name, std::uint32_t ranks,
                 std::uint64_t size_bytes, std::uint32_t root, std::uint32_t distance,
                 std::uint64_t seed, std::int64_t compute_ps, std::vector<std::uint32_t> dimensions,
                 std::uint32_t iterations) {
    if (compute_ps < 0) throw nb::value_error("compute_ps must not be negative");
    collectives::PatternParameters parameters;
    parameters.ranks = ranks;
    parameters.size_bytes = size_bytes;
    parameters.root = root;
    parameters.distance = distance;
    parameters.seed = seed;
    parameters.compute = Duration{compute_ps};
    parameters.dimensions = std::move(dimensions);
    unlocked([&] { make_pattern(name, parameters, iterations); });
    new (asked) AskedPattern{name, std::move(parameters), iterations};
}

nb::dict steps_of_pattern(const AskedPattern& asked, const DescribedNetwork& network,
                          const std::vector<std::uint32_t>& rank_hosts, const nb::object& look) {
    const StepCheck check = watched(look, [&] {
        const auto pattern = make_pattern(asked.name, asked.parameters);
        const std::uint32_t ranks = asked.parameters.ranks;
        return checked_steps(messages_of(*pattern, ranks), ranks, network, rank_hosts);
    });
    return dict_of(check, network);
}

nb::dict delivery_of(const AskedPattern& asked, const nb::object& look) {
    return dict_of(watched(look, [&] { return checked_delivery(asked.name, asked.parameters); }));
}

collectives::Scheme scheme_of(const std::string& name) {
    if (name == "none") return collectives::Scheme::kNone;
    if (name == "every_step") return collectives::Scheme::kEveryStep;
    if (name == "start") return collectives::Scheme::kStart;
    if (name == "clock") return collectives::Scheme::kClock;
    throw std::invalid_argument(
        "a scheme is \"none\", \"every_step\", \"start\" or \"clock\", not \"" + name + "\"");
}

std::vector<std::int64_t> times_of_steps(const AskedPattern& asked, const MessageTime& time,
                                         const nb::object& look) {
    return watched(look, [&] {
        const auto pattern = make_pattern(asked.name, asked.parameters);
        std::vector<std::int64_t> times_ps;
        for (const Duration step : step_times(*pattern, asked.parameters.ranks, time))
            times_ps.push_back(step.ps);
        return times_ps;
    });
}

std::vector<std::int64_t> times_on_network(const AskedPattern& asked,
                                           const DescribedNetwork& network, const nb::dict& config,
                                           std::vector<std::uint32_t> rank_hosts,
                                           const nb::object& look) {
    const ReplayParameters parameters = replay_parameters(config, std::move(rank_hosts));
    if (parameters.rank_hosts.size() != asked.parameters.ranks)
        throw nb::value_error("rank_hosts must have the host of each rank");
    for (const std::uint32_t host : parameters.rank_hosts) {
        if (host >= network.fabric().hosts) throw nb::value_error("there is no such host");
    }
    return times_of_steps(asked, MessageTimes(parameters, network.fabric(), network.routing()),
                          look);
}

std::size_t count_steps(const AskedPattern& asked, const nb::object& look) {
    const auto no_time = [](std::uint32_t, std::uint32_t, std::uint64_t) { return Duration{}; };
    return times_of_steps(asked, no_time, look).size();
}

Schedule generated(const AskedPattern& asked, const nb::object& look, const std::string& scheme,
                   const std::vector<std::int64_t>& step_begins_ps) {
    StepScheme steps{scheme_of(scheme), {}};
    for (const std::int64_t begin_ps : step_begins_ps) {
        if (begin_ps < 0 || static_cast<std::uint64_t>(begin_ps) > kMostAmount)
            throw nb::value_error("the instant of a step is impossible");
        steps.step_begins.push_back({begin_ps});
    }
    const bool has_instants = steps.scheme == collectives::Scheme::kEveryStep ||
                              steps.scheme == collectives::Scheme::kClock;
    if (has_instants && steps.step_begins.size() < count_steps(asked, look))
        throw nb::value_error("a step has no instant");
    return watched(look, [&] {
        return generate(asked.name, asked.parameters, asked.iterations, nullptr, steps);
    });
}

/// None, or a dict of protects_exact and functions.
std::optional<RecordedErrors> recorded_errors(const nb::object& values) {
    if (values.is_none()) return std::nullopt;
    const auto given = nb::cast<nb::dict>(values);
    RecordedErrors errors;
    errors.protects_exact = nb::cast<bool>(given["protects_exact"]);
    for (const auto& name : nb::cast<std::vector<std::string>>(given["functions"]))
        errors.functions.push_back(conductor::canonical_name(name.c_str()));
    return errors;
}

template <class Record>
std::vector<Record> records_in(const std::string& path) {
    std::vector<Record> records;
    errno = 0;
    std::ifstream input(path, std::ios::binary);
    Record record{};
    while (input.read(reinterpret_cast<char*>(&record), sizeof record)) {
        records.push_back(record);
    }
    if (!input.eof() || input.gcount() != 0) {
        throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), path);
    }
    return records;
}

/// Of operations by kind, in the order of OperationKind.
constexpr std::array<const char*, kOperationKinds> kKindKeys = {
    "sends", "receives", "computes", "waits", "synchronisations", "waits_after", "hints"};

/// Totals over all operations.
struct Totals {
    std::array<std::uint64_t, kOperationKinds> count{};
    std::uint64_t messages = 0, bytes = 0, smallest_bytes = 0, largest_bytes = 0;
    std::uint64_t control_messages = 0, compute_ps = 0, software_ps = 0, sleep_ps = 0,
                  wildcards = 0, recorded = 0, bare = 0, approximate_messages = 0,
                  approximate_bytes = 0;

    void add(const Operation& operation) {
        ++count[static_cast<std::size_t>(operation.kind)];
        if ((operation.traits & ~traits::kApproximate) != 0) ++recorded;
        if (operation.has(traits::kBare)) ++bare;
        if (operation.kind == OperationKind::kSend) add_send(operation);
        if (operation.kind == OperationKind::kCompute) time_of(operation) += operation.amount;
        if (operation.kind != OperationKind::kReceive) return;
        if (operation.peer == kAnyPeer || operation.tag == kAnyTag) ++wildcards;
    }

   private:
    std::uint64_t& time_of(const Operation& compute) {
        if (compute.has(traits::kSoftware)) return software_ps;
        return compute.has(traits::kSleep) ? sleep_ps : compute_ps;
    }
    void add_send(const Operation& send) {
        if (send.has(traits::kControl)) {
            ++control_messages;
            return;
        }
        smallest_bytes = messages == 0 ? send.amount : std::min(smallest_bytes, send.amount);
        largest_bytes = std::max(largest_bytes, send.amount);
        ++messages;
        bytes += send.amount;
        if (!send.has(traits::kApproximate)) return;
        ++approximate_messages;
        approximate_bytes += send.amount;
    }
};

Totals totals_of(const Schedule& schedule) {
    Totals totals;
    for (std::uint32_t rank = 0; rank < schedule.ranks(); ++rank) {
        for (const Operation& operation : schedule.operations_of(rank)) totals.add(operation);
    }
    return totals;
}

nb::dict summary_of(const Schedule& schedule) {
    const Totals totals = unlocked([&] { return totals_of(schedule); });
    nb::dict result;
    result["ranks"] = schedule.ranks();
    result["operations"] = schedule.operations();
    result["dependences"] = schedule.dependences();
    for (std::uint8_t kind = 0; kind < kOperationKinds; ++kind) {
        result[kKindKeys[kind]] = totals.count[kind];
    }
    result["messages"] = totals.messages;
    result["bytes"] = totals.bytes;
    result["smallest_message_bytes"] = totals.smallest_bytes;
    result["largest_message_bytes"] = totals.largest_bytes;
    result["control_messages"] = totals.control_messages;
    result["compute_ps"] = totals.compute_ps;
    result["software_ps"] = totals.software_ps;
    result["sleep_ps"] = totals.sleep_ps;
    result["receives_from_any"] = totals.wildcards;
    result["is_recorded"] = totals.recorded > 0;
    result["approximate_messages"] = totals.approximate_messages;
    result["approximate_bytes"] = totals.approximate_bytes;
    result["allows_errors"] = schedule.errors() != nullptr;
    result["bare_messages"] = totals.bare;
    result["recorded_polls"] = schedule.recorded_order().polls;
    result["recorded_wildcards"] = schedule.recorded_order().wildcards;
    return result;
}

nb::dict losses_of(const Schedule& schedule) {
    const PortableLosses losses = unlocked([&] { return portable_losses(schedule); });
    nb::dict result;
    result["rounded"] = losses.rounded;
    result["waits"] = losses.waits;
    result["synchronisations"] = losses.synchronisations;
    result["waits_after"] = losses.waits_after;
    result["hints"] = losses.hints;
    result["software"] = losses.software;
    result["sleeps"] = losses.sleeps;
    result["bare"] = losses.bare;
    result["approximate"] = losses.approximate;
    result["recorded_order"] = losses.recorded_order;
    return result;
}

nb::dict pattern_kinds() {
    nb::dict kinds;
    const auto& registry = Registry<collectives::Pattern>::instance();
    for (const std::string& name : registry.names()) {
        nb::list used;
        for (const PatternOption& option : pattern_options()) {
            if (option.is_used_by(name)) used.append(option.name);
        }
        nb::dict kind;
        kind["help"] = registry.help(name);
        kind["parameters"] = used;
        kinds[name.c_str()] = kind;
    }
    return kinds;
}

nb::dict pattern_parameters() {
    nb::dict parameters;
    for (const PatternOption& option : pattern_options()) {
        parameters[option.name.c_str()] = option.help;
    }
    return parameters;
}

std::string found_pattern(const std::string& name) {
    return unlocked([&] { return find_pattern(name); });
}

}  // namespace

void bind_schedule(nb::module_& module) {
    module.def("pattern_kinds", &pattern_kinds,
               "The patterns there are: a dict from name to a dict of help, one sentence, and\n"
               "parameters, the names of those that it uses.");
    module.def("pattern_parameters", &pattern_parameters,
               "What each parameter of patterns means: a dict from name to sentence.");
    module.def("find_pattern", &found_pattern, nb::arg("name"),
               "The registered name for that of a pattern with or without its algorithm. Raises\n"
               "ValueError if there is none.");
    nb::class_<Schedule>(
        module, "Schedule",
        "What every rank of a program does: sends, receives, computes, waits.\n"
        "Immutable. All methods raise ValueError for a schedule that cannot be,\n"
        "and OSError for a file that cannot be read or written. `look` is called\n"
        "from time to time with the number of operations made, read or written so\n"
        "far; what it raises ends the work.")
        .def_static(
            "read",
            [](const std::string& path, const nb::object& look) {
                return watched(look, [&] { return read_schedule_file(path); });
            },
            nb::arg("path"), nb::arg("look") = nb::none(), "Reads a file of either form.")
        .def_static(
            "find_lines",
            [](const std::string& path,
               const std::vector<std::pair<std::uint32_t, std::uint32_t>>& operations) {
                std::vector<OperationPlace> places;
                for (const auto& [rank, operation] : operations) {
                    places.push_back({rank, operation});
                }
                return unlocked([&] { return find_lines_in_file(path, places); });
            },
            nb::arg("path"), nb::arg("operations"),
            "The lines of a file in GOAL text that say these operations, pairs of rank and\n"
            "number in it; 0 where that is not known, as in other files.")
        .def_static(
            "from_run",
            [](std::uint32_t ranks, const std::string& path, const nb::object& errors) {
                const std::optional<RecordedErrors> recorded = recorded_errors(errors);
                return unlocked([&] {
                    return schedule_of_run(ranks, records_in<conductor::OperationRecord>(path),
                                           recorded);
                });
            },
            nb::arg("ranks"), nb::arg("path"), nb::arg("errors") = nb::none(),
            "The schedule that repeats a run, from its file operations.bin. `errors`, of a run\n"
            "that allowed any, is a dict of protects_exact and functions, the names of\n"
            "Run.summary in their order.")
        .def_static(
            "from_calls",
            [](std::uint32_t ranks, const std::string& path) {
                return unlocked([&] {
                    return schedule_of_calls(ranks, records_in<conductor::CallRecord>(path));
                });
            },
            nb::arg("ranks"), nb::arg("path"),
            "The schedule of a run's calls, from its file calls.bin.")
        .def_static(
            "join",
            [](const std::vector<std::pair<const Schedule*, bool>>& schedules,
               const nb::object& look) {
                std::vector<SchedulePart> parts;
                for (const auto& [schedule, in_kernel] : schedules)
                    parts.push_back({schedule, in_kernel});
                return watched(look, [&] { return join_schedules(parts); });
            },
            nb::arg("schedules"), nb::arg("look") = nb::none(),
            "One schedule after the other, of equally many ranks: pairs of a schedule and\n"
            "whether it stands between the hints IN_KERNEL 1 and 0.")
        .def(
            "write",
            [](const Schedule& schedule, const std::string& path, const std::string& form,
               const nb::object& look) {
                const ScheduleForm wanted = form_of(form);
                watched(look, [&] { write_schedule_file(schedule, path, wanted); });
            },
            nb::arg("path"), nb::arg("form"), nb::arg("look") = nb::none(),
            "Writes a file in the form \"goal\", \"plain\" (GOAL for other readers) or\n"
            "\"binary\": whole, or not at all.")
        .def("portable_losses", &losses_of,
             "How many operations say something that plain GOAL cannot: a dict of rounded\n"
             "(times), waits (until a time), synchronisations, waits_after (of a common start),\n"
             "hints, software, sleeps, bare, approximate and recorded_order.")
        .def_prop_ro("ranks", &Schedule::ranks, "Number of ranks.")
        .def_prop_ro("operations", &Schedule::operations, "Number of operations of all ranks.")
        .def_prop_ro(
            "allows_errors", [](const Schedule& schedule) { return schedule.errors() != nullptr; },
            "Whether it was recorded in a run that allowed errors.")
        .def_prop_ro(
            "recorded_order",
            [](const Schedule& schedule) {
                const RecordedOrder& order = schedule.recorded_order();
                return std::pair(order.polls, order.wildcards);
            },
            "Numbers of polls and of wildcards of recorded calls, as in summary().")
        .def("summary", &summary_of,
             "Totals: a dict of ranks, operations, dependences, sends, receives, computes,\n"
             "waits, synchronisations, waits_after, hints, messages (without control messages of\n"
             "a recorded run), bytes, smallest_message_bytes, largest_message_bytes,\n"
             "control_messages, compute_ps, software_ps, sleep_ps, receives_from_any,\n"
             "is_recorded, approximate_messages, approximate_bytes, allows_errors, bare_messages\n"
             "(sends and receives of recorded messages), recorded_polls and recorded_wildcards\n"
             "(of recorded calls: what they found may have depended on time).")
        .def(
            "check_steps", &steps_of_schedule, nb::arg("network"), nb::arg("rank_hosts"),
            nb::arg("look") = nb::none(),
            "Follows the messages of each step over a network, by minimal paths; rank r\n"
            "is at host rank_hosts[r]. The step of a message is the largest number of messages of\n"
            "its rank that its send waits for one after another. A dict of ranks, steps,\n"
            "messages; startups, bytes and hops (links between switches), each of the rank that\n"
            "has most; shared_links, how often a message takes a link that another message of its\n"
            "step takes; first_shared, a dict of step, link, first and second (ranks: source and\n"
            "target), or None.")
        .def(
            "__eq__", [](const Schedule& one, const Schedule& other) { return one == other; },
            nb::arg("other"), nb::is_operator());
    nb::class_<AskedPattern>(module, "Pattern",
                             "What the schedule of a pattern is made from. Raises ValueError for\n"
                             "what cannot be.")
        .def("__init__", &ask_pattern, nb::arg("name"), nb::arg("ranks"), nb::kw_only(),
             nb::arg("size_bytes") = 0, nb::arg("root") = 0, nb::arg("distance") = 1,
             nb::arg("seed") = 0, nb::arg("compute_ps") = 0,
             nb::arg("dimensions") = std::vector<std::uint32_t>(), nb::arg("iterations") = 1)
        .def_ro("name", &AskedPattern::name)
        .def("generate", &generated, nb::arg("look") = nb::none(), nb::arg("scheme") = "none",
             nb::arg("step_begins_ps") = std::vector<std::int64_t>(),
             "Makes the schedule; `look` as of Schedule's methods. `scheme` is \"none\",\n"
             "\"every_step\", \"start\" or \"clock\", and `step_begins_ps` has the instant after\n"
             "the common start at which each step begins.")
        .def("count_steps", &count_steps, nb::arg("look") = nb::none(),
             "Number of steps of one iteration, of all ranks together. Raises ValueError if a\n"
             "message is not received in the step in which it is sent.")
        .def("step_times", &times_on_network, nb::arg("network"), nb::arg("config"),
             nb::arg("rank_hosts"), nb::arg("look") = nb::none(),
             "What the longest message of each step takes over the idle network, in ps, software\n"
             "included. `config` is that of Replay; rank r is at host rank_hosts[r].")
        .def("check_steps", &steps_of_pattern, nb::arg("network"), nb::arg("rank_hosts"),
             nb::arg("look") = nb::none(),
             "As Schedule.check_steps, of one iteration. Steps are those of all ranks together,\n"
             "also where a rank leaves one out.")
        .def(
            "check_delivery", &delivery_of, nb::arg("look") = nb::none(),
            "Follows the blocks of an all-to-all, step by step: a dict of blocks (of all ranks),\n"
            "wrong (how often a rank sends what it does not hold, expects what it is not sent, or\n"
            "does not get what is for it) and first_wrong (a sentence). Raises ValueError for\n"
            "other patterns.");
}
