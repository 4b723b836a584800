// kumihimo._core.Machine: a machine's network as a platform file describes it.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "machine.hpp"
#include "network/zero_load.hpp"

namespace nb = nanobind;

using kumi::Buffering;
using kumi::Duration;
using kumi::FabricDescription;
using kumi::LinkParameters;
using kumi::TopologyParameters;

Machine::Machine(const TopologyParameters& topology, const FabricDescription& settings)
    : x_topology(kumi::make_topology(topology)), x_fabric(x_topology->describe()) {
    x_fabric.switch_latency = settings.switch_latency;
    x_fabric.packet_bytes = settings.packet_bytes;
    x_fabric.header_bytes = settings.header_bytes;
    x_fabric.loopback_bandwidth_bps = settings.loopback_bandwidth_bps;
    x_fabric.loopback_latency = settings.loopback_latency;
    x_fabric.buffering = settings.buffering;
    x_fabric.route_policy = settings.route_policy;
    x_fabric.seed = settings.seed;
    if (x_fabric.buffering.buffer_bytes != 0 && x_fabric.buffering.channels == 0) {
        x_fabric.buffering.channels =
            std::min(x_topology->channels(x_fabric.route_policy), Buffering::kMostChannels);
    }
    kumi::check_fabric(x_fabric);
}

std::vector<kumi::LinkId> Machine::route(std::uint64_t source, std::uint64_t target) const {
    for (const std::uint64_t host : {source, target}) {
        if (host < x_fabric.hosts) continue;
        throw std::invalid_argument("there is no host " + std::to_string(host) + ", only 0 to " +
                                    std::to_string(x_fabric.hosts - 1));
    }
    std::vector<kumi::LinkId> links;
    if (source != target) {
        x_topology->route(static_cast<kumi::HostId>(source), static_cast<kumi::HostId>(target),
                          links);
    }
    return links;
}

Duration Machine::zero_load_time(std::uint64_t source, std::uint64_t target,
                                 std::uint64_t size_bytes) const {
    return kumi::zero_load_time(x_fabric, route(source, target), size_bytes);
}

namespace {

/// A dictionary of the specification, read key by key; complains in the user's terms.
class Section {
   public:
    Section(std::string name, nb::handle values) : x_name(std::move(name)) {
        if (!nb::isinstance<nb::dict>(values)) {
            throw std::invalid_argument(x_name + " must be a dict");
        }
        x_values = nb::borrow<nb::dict>(values);
    }

    bool has(const char* key) {
        x_known.insert(key);
        return x_values.contains(key) && !nb::handle(x_values[key]).is_none();
    }

    nb::object object(const char* key) {
        if (!has(key)) throw std::invalid_argument(x_name + ": '" + key + "' is missing");
        return nb::borrow(x_values[key]);
    }

    std::uint64_t number(const char* key) { return number_of(key, object(key)); }

    std::string text(const char* key) {
        std::string value;
        if (!nb::try_cast(object(key), value)) {
            throw std::invalid_argument(x_name + ": '" + key + "' must be a string");
        }
        return value;
    }

    /// One of a few words, each with what it stands for.
    template <class Choice>
    Choice choice(const char* key, const std::map<std::string, Choice>& choices) {
        const auto found = choices.find(text(key));
        if (found != choices.end()) return found->second;
        throw std::invalid_argument(x_name + ": '" + key + "' cannot be '" + text(key) + "'");
    }

    Section section(const char* key) { return {x_name + "." + key, object(key)}; }

    /// The number or the list of numbers at `key`.
    kumi::Numbers numbers(const char* key) { return numbers_of(key, object(key)); }

    std::map<std::string, kumi::Numbers> all_numbers() const {
        std::map<std::string, kumi::Numbers> all;
        for (const auto& [key, value] : x_values) {
            const auto name = nb::cast<std::string>(nb::str(key));
            all.emplace(name, numbers_of(name, value));
        }
        return all;
    }

    /// Complains about a key that nobody asked for.
    void finish() const {
        for (const auto& [key, value] : x_values) {
            const auto name = nb::cast<std::string>(nb::str(key));
            if (x_known.find(name) != x_known.end()) continue;
            throw std::invalid_argument(x_name + ": '" + name + "' is not known");
        }
    }

   private:
    kumi::Numbers numbers_of(const std::string& key, nb::handle value) const {
        if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr())) return number_of(key, value);
        std::vector<std::uint64_t> values;
        for (const nb::handle element : nb::borrow<nb::sequence>(value)) {
            values.push_back(number_of(key, element));
        }
        return kumi::Numbers(std::move(values));
    }

    std::uint64_t number_of(const std::string& key, nb::handle value) const {
        std::int64_t number = -1;
        const bool is_integer = PyLong_Check(value.ptr()) && !PyBool_Check(value.ptr());
        if (!is_integer || !nb::try_cast(value, number) || number < 0) {
            throw std::invalid_argument(x_name + ": '" + key +
                                        "' must be an integer from 0 to 2^63 - 1");
        }
        return static_cast<std::uint64_t>(number);
    }

    std::string x_name;
    nb::dict x_values;
    std::set<std::string> x_known;
};

Duration duration_ps(std::uint64_t value) { return {static_cast<std::int64_t>(value)}; }

LinkParameters link_of(Section section) {
    const LinkParameters link{section.number("bandwidth_bps"),
                              duration_ps(section.number("latency_ps"))};
    section.finish();
    return link;
}

/// Links of several classes: each key holds one value for all of them, or a list.
std::vector<LinkParameters> links_of_classes(Section section) {
    const kumi::Numbers bandwidth_bps = section.numbers("bandwidth_bps");
    const kumi::Numbers latency_ps = section.numbers("latency_ps");
    section.finish();
    const std::size_t count =
        bandwidth_bps.is_list() ? bandwidth_bps.values().size() : latency_ps.values().size();
    if (bandwidth_bps.is_list() && latency_ps.is_list() && latency_ps.values().size() != count) {
        throw std::invalid_argument("uplink: lists of bandwidths and latencies differ in length");
    }
    std::vector<LinkParameters> links;
    for (std::size_t index = 0; index < count; ++index) {
        links.push_back({bandwidth_bps.values()[bandwidth_bps.is_list() ? index : 0],
                         duration_ps(latency_ps.values()[latency_ps.is_list() ? index : 0])});
    }
    return links;
}

Buffering buffering_of(Section section) {
    const std::map<std::string, kumi::Arbitration> arbitrations{
        {"round_robin", kumi::Arbitration::kRoundRobin},
        {"first_come", kumi::Arbitration::kFirstCome}};
    Buffering buffering;
    buffering.buffer_bytes = section.number("bytes");
    const std::uint64_t channels = section.number("channels");
    buffering.channels =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(channels, Buffering::kMostChannels + 1));
    buffering.arbitration = section.choice("arbitration", arbitrations);
    section.finish();
    return buffering;
}

void make_machine(Machine* place, nb::handle specification) {
    Section spec("machine", specification);
    TopologyParameters topology;
    topology.kind = spec.text("topology");
    topology.numbers = spec.section("parameters").all_numbers();
    topology.link = link_of(spec.section("link"));
    if (spec.has("uplink")) topology.uplinks = links_of_classes(spec.section("uplink"));
    for (const char* name : {"local", "global"}) {
        if (spec.has(name)) topology.uplinks.push_back(link_of(spec.section(name)));
    }
    FabricDescription settings;
    settings.switch_latency = duration_ps(spec.number("switch_latency_ps"));
    settings.packet_bytes = spec.number("packet_bytes");
    settings.header_bytes = spec.number("packet_header_bytes");
    const LinkParameters loopback = link_of(spec.section("loopback"));
    settings.loopback_bandwidth_bps = loopback.bandwidth_bps;
    settings.loopback_latency = loopback.latency;
    if (spec.has("buffers")) settings.buffering = buffering_of(spec.section("buffers"));
    if (spec.has("routing")) {
        settings.route_policy =
            spec.choice<kumi::RoutePolicy>("routing", {{"minimal", kumi::RoutePolicy::kMinimal},
                                                       {"valiant", kumi::RoutePolicy::kValiant},
                                                       {"ugal", kumi::RoutePolicy::kUgal}});
    }
    if (spec.has("seed")) settings.seed = spec.number("seed");
    spec.finish();
    new (place) Machine(topology, settings);
}

nb::list links_of(const Machine& machine) {
    nb::list links;
    for (const kumi::LinkDescription& link : machine.fabric().links) {
        nb::dict row;
        row["name"] = link.name;
        row["source"] = kumi::vertex_name(machine.fabric(), link.source_vertex);
        row["target"] = kumi::vertex_name(machine.fabric(), link.target_vertex);
        row["bandwidth_bps"] = link.bandwidth_bps;
        row["latency_ps"] = link.latency.ps;
        links.append(row);
    }
    return links;
}

nb::dict topology_kinds() {
    nb::dict kinds;
    const auto& registry = kumi::Registry<kumi::Topology>::instance();
    for (const std::string& name : registry.names()) kinds[name.c_str()] = registry.help(name);
    return kinds;
}

}  // namespace

void bind_machine(nb::module_& module) {
    module.def("topology_kinds", &topology_kinds,
               "The kinds of topology there are: a dict from name to one sentence about it.");
    nb::class_<Machine>(module, "Machine",
                        "A machine's network: hosts, switches, directed links, and the paths that\n"
                        "messages take.")
        .def("__init__", &make_machine, nb::arg("spec"),
             "`spec` is a dict of topology (str), parameters (dict of int or list of int), link,\n"
             "loopback and optionally local and global (dicts of bandwidth_bps and latency_ps) or\n"
             "uplink (the same, where each value may be a list: one for each dimension or level),\n"
             "switch_latency_ps, packet_bytes (0: a message is one packet),\n"
             "packet_header_bytes, optionally buffers (dict of bytes, channels (0: as many as\n"
             "keep the paths from blocking each other in a circle) and arbitration),\n"
             "routing (\"minimal\", \"valiant\" or \"ugal\") and seed (int, of random paths).\n\n"
             "Raises ValueError if a key is missing or unknown, or a value is impossible.")
        .def_prop_ro(
            "hosts", [](const Machine& machine) { return machine.fabric().hosts; },
            "Number of hosts.")
        .def_prop_ro(
            "switches", [](const Machine& machine) { return machine.fabric().switches; },
            "Number of switches.")
        .def_prop_ro(
            "link_count", [](const Machine& machine) { return machine.fabric().links.size(); },
            "Number of directed links.")
        .def_prop_ro("links", &links_of,
                     "All directed links, each a dict of name, source, target, bandwidth_bps and\n"
                     "latency_ps; vertices are named \"host0\" or \"switch0\".")
        .def_prop_ro(
            "virtual_channels",
            [](const Machine& machine) {
                const Buffering& buffering = machine.fabric().buffering;
                return buffering.buffer_bytes == 0 ? 0 : buffering.channels;
            },
            "Number of virtual channels of each link; 0 if its buffers have no limit.")
        .def("route", &Machine::route, nb::arg("source"), nb::arg("target"),
             "The indices of the links from one host to another, in order, by the minimal path;\n"
             "empty from a host to itself. Raises ValueError if there is no such host.")
        .def(
            "zero_load_ps",
            [](const Machine& machine, std::uint64_t source, std::uint64_t target,
               std::uint64_t size_bytes) {
                return machine.zero_load_time(source, target, size_bytes).ps;
            },
            nb::arg("source"), nb::arg("target"), nb::arg("size_bytes"),
            "Time in ps of a message through the idle network, from entering the interface of\n"
            "the source to its last byte at the target. Raises ValueError if there is no such\n"
            "host.");
}
