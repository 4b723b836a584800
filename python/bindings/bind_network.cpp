// kumihimo._core.Network: a network as a platform file describes it.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

#include "channel.hpp"
#include "described_network.hpp"
#include "link_power.hpp"
#include "network/zero_load.hpp"
#include "specification.hpp"

namespace nb = nanobind;

using namespace kumi;
using namespace kumi::network;

DescribedNetwork::DescribedNetwork(const TopologyParameters& topology,
                                   const FabricDescription& settings)
    : x_topology(make_topology(topology)), x_fabric(x_topology->describe()) {
    x_fabric.switch_latency = settings.switch_latency;
    x_fabric.packet_bytes = settings.packet_bytes;
    x_fabric.header_bytes = settings.header_bytes;
    x_fabric.loopback_bandwidth_bps = settings.loopback_bandwidth_bps;
    x_fabric.loopback_latency = settings.loopback_latency;
    x_fabric.buffering = settings.buffering;
    x_fabric.power = settings.power;
    x_fabric.route_policy = settings.route_policy;
    x_fabric.seed = settings.seed;
    x_fabric.noises = settings.noises;
    if (x_fabric.buffering.buffer_bytes != 0 && x_fabric.buffering.channels == 0) {
        x_fabric.buffering.channels =
            std::min(x_topology->channels(x_fabric.route_policy), Buffering::kMostChannels);
    }
    check_fabric(x_fabric);
}

std::vector<LinkId> DescribedNetwork::route(std::uint64_t source, std::uint64_t target) const {
    for (const std::uint64_t host : {source, target}) {
        if (host < x_fabric.hosts) continue;
        throw std::invalid_argument("there is no host " + std::to_string(host) + ", only 0 to " +
                                    std::to_string(x_fabric.hosts - 1));
    }
    std::vector<LinkId> links;
    if (source != target) {
        x_topology->route(static_cast<HostId>(source), static_cast<HostId>(target), links);
    }
    return links;
}

Duration DescribedNetwork::zero_load_time(std::uint64_t source, std::uint64_t target,
                                          std::uint64_t size_bytes) const {
    const std::vector<LinkId> links = route(source, target);
    if (links.empty() && source != target) {
        throw std::invalid_argument("there is no path from host " + std::to_string(source) +
                                    " to host " + std::to_string(target));
    }
    return kumi::network::zero_load_time(x_fabric, links, size_bytes);
}

namespace {

/// Adds the noise of a class of links, if there is any, to those of the fabric; its number.
std::uint8_t noise_of(Section& links, FabricDescription& settings) {
    if (!links.has("noise")) return 0;
    Section section = links.section("noise");
    const std::map<std::string, BitOrder> orders{{"in_order", BitOrder::kInOrder},
                                                 {"important_first", BitOrder::kImportantFirst}};
    const Modulation modulation = modulation_of(section.text("modulation"));
    const double snr =
        section.has("snr_mdb")
            ? ratio_of_db(static_cast<double>(section.number("snr_mdb")) / 1e3)
            : snr_of_bit_error(modulation,
                               static_cast<double>(section.number("bit_error_e18")) / 1e18);
    settings.noises.push_back({make_channel(modulation, snr), section.choice("mapping", orders)});
    section.finish();
    return static_cast<std::uint8_t>(settings.noises.size());
}

/// With noise, if it may have any: then `settings` are there.
LinkParameters link_of(Section section, FabricDescription* settings) {
    LinkParameters link{section.number("bandwidth_bps"), section.duration("latency_ps")};
    if (settings != nullptr) link.noise = noise_of(section, *settings);
    section.finish();
    return link;
}

/// Links of several classes: each key holds one value for all of them, or a list.
std::vector<LinkParameters> links_of_classes(Section section, FabricDescription& settings) {
    const Numbers bandwidth_bps = section.numbers("bandwidth_bps");
    const Numbers latency_ps = section.numbers("latency_ps");
    const std::uint8_t noise = noise_of(section, settings);
    section.finish();
    const std::size_t count =
        bandwidth_bps.is_list() ? bandwidth_bps.values().size() : latency_ps.values().size();
    if (bandwidth_bps.is_list() && latency_ps.is_list() && latency_ps.values().size() != count) {
        throw std::invalid_argument(
            "switch_link: lists of bandwidths and latencies differ in length");
    }
    std::vector<LinkParameters> links;
    for (std::size_t index = 0; index < count; ++index) {
        links.push_back({bandwidth_bps.values()[bandwidth_bps.is_list() ? index : 0],
                         Duration{static_cast<std::int64_t>(
                             latency_ps.values()[latency_ps.is_list() ? index : 0])},
                         noise});
    }
    return links;
}

Buffering buffering_of(Section section) {
    const std::map<std::string, Arbitration> arbitrations{{"round_robin", Arbitration::kRoundRobin},
                                                          {"first_come", Arbitration::kFirstCome}};
    Buffering buffering;
    buffering.buffer_bytes = section.number("bytes");
    const std::uint64_t channels = section.number("channels");
    buffering.channels =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(channels, Buffering::kMostChannels + 1));
    buffering.arbitration = section.choice("arbitration", arbitrations);
    section.finish();
    return buffering;
}

void make_network(DescribedNetwork* place, nb::handle specification) {
    Section spec("network", specification);
    TopologyParameters topology;
    topology.kind = spec.text("topology");
    topology.numbers = spec.section("parameters").all_numbers();
    FabricDescription settings;
    topology.host_link = link_of(spec.section("host_link"), &settings);
    if (spec.has("switch_link"))
        topology.switch_links = links_of_classes(spec.section("switch_link"), settings);
    for (const char* name : {"local", "global"}) {
        if (spec.has(name)) topology.switch_links.push_back(link_of(spec.section(name), &settings));
    }
    settings.switch_latency = spec.duration("switch_latency_ps");
    settings.packet_bytes = spec.number("packet_bytes");
    settings.header_bytes = spec.number("packet_header_bytes");
    const LinkParameters loopback = link_of(spec.section("loopback"), nullptr);
    settings.loopback_bandwidth_bps = loopback.bandwidth_bps;
    settings.loopback_latency = loopback.latency;
    if (spec.has("buffers")) settings.buffering = buffering_of(spec.section("buffers"));
    if (spec.has("routing")) {
        settings.route_policy =
            spec.choice<RoutePolicy>("routing", {{"minimal", RoutePolicy::kMinimal},
                                                 {"valiant", RoutePolicy::kValiant},
                                                 {"ugal", RoutePolicy::kUgal}});
    }
    if (spec.has("link_power")) settings.power = link_power_of(spec.section("link_power"));
    if (spec.has("seed")) settings.seed = spec.number("seed");
    spec.finish();
    new (place) DescribedNetwork(topology, settings);
}

nb::list links_of(const DescribedNetwork& network) {
    nb::list links;
    for (const LinkDescription& link : network.fabric().links) {
        nb::dict row;
        row["name"] = link_name(network.fabric(), link);
        row["source"] = vertex_name(network.fabric(), link.source_vertex);
        row["target"] = vertex_name(network.fabric(), link.target_vertex);
        row["bandwidth_bps"] = link.bandwidth_bps;
        row["latency_ps"] = link.latency.ps;
        links.append(row);
    }
    return links;
}

/// The noise of each link of a path that corrupts bits.
nb::list noisy_hops(const DescribedNetwork& network, std::uint64_t source, std::uint64_t target) {
    nb::list hops;
    std::uint32_t hop = 0;
    for (const LinkId id : network.route(source, target)) {
        const std::uint8_t number = network.fabric().links[id].noise;
        const std::uint32_t here = hop++;
        if (number == 0) continue;
        const LinkNoise& noise = network.fabric().noises[number - 1];
        nb::dict row;
        row["hop"] = here;
        row["link"] = id;
        row["modulation"] =
            nb::str(noise.channel.modulation.name.data(), noise.channel.modulation.name.size());
        row["bit_error_rate"] = noise.channel.bit_error();
        row["can_protect"] = noise.channel.modulation.can_be_thinned();
        row["mapping"] = noise.order == BitOrder::kImportantFirst ? "important_first" : "in_order";
        hops.append(row);
    }
    return hops;
}

nb::dict topology_kinds() {
    nb::dict kinds;
    const auto& registry = Registry<Topology>::instance();
    for (const std::string& name : registry.names()) kinds[name.c_str()] = registry.help(name);
    return kinds;
}

nb::list link_policy_names() {
    nb::list names;
    for (const LinkPolicy* policy : link_policies()) names.append(policy->name);
    return names;
}

}  // namespace

void bind_network(nb::module_& module) {
    module.def("link_policies", &link_policy_names, "The names of all policies of links.");
    module.def("topology_kinds", &topology_kinds,
               "The kinds of topology there are: a dict from name to one sentence about it.");
    nb::class_<DescribedNetwork>(module, "Network",
                                 "A network: hosts, switches, directed links, and the paths that\n"
                                 "messages take.")
        .def("__init__", &make_network, nb::arg("spec"),
             "`spec` is a dict of topology (str), parameters (dict of int or list of int), link,\n"
             "loopback and optionally local and global (dicts of bandwidth_bps and latency_ps) or\n"
             "switch_link (the same, where each value may be a list: one for each dimension or\n"
             "level), each of these but loopback optionally with noise (dict of modulation,\n"
             "either snr_mdb or bit_error_e18 (in 10^-18), and mapping), switch_latency_ps,\n"
             "packet_bytes (0: a message is one packet), packet_header_bytes, optionally buffers\n"
             "(dict of bytes, channels (0: as many as keep the paths from blocking each other in\n"
             "a circle) and arbitration), routing (\"minimal\", \"valiant\" or \"ugal\"),\n"
             "link_power (dict, as platform files make it) and seed (int, of random paths).\n\n"
             "Raises ValueError if a key is missing or unknown, or a value is impossible.")
        .def_prop_ro(
            "hosts", [](const DescribedNetwork& network) { return network.fabric().hosts; },
            "Number of hosts.")
        .def_prop_ro(
            "switches", [](const DescribedNetwork& network) { return network.fabric().switches; },
            "Number of switches.")
        .def_prop_ro(
            "link_count",
            [](const DescribedNetwork& network) { return network.fabric().links.size(); },
            "Number of directed links.")
        .def_prop_ro("links", &links_of,
                     "All directed links, each a dict of name, source, target, bandwidth_bps and\n"
                     "latency_ps; vertices are named \"host0\" or \"switch0\".")
        .def_prop_ro(
            "virtual_channels",
            [](const DescribedNetwork& network) {
                const Buffering& buffering = network.fabric().buffering;
                return buffering.buffer_bytes == 0 ? 0 : buffering.channels;
            },
            "Number of virtual channels of each link; 0 if its buffers have no limit.")
        .def("route", &DescribedNetwork::route, nb::arg("source"), nb::arg("target"),
             "The indices of the links from one host to another, in order, by the minimal path;\n"
             "empty from a host to itself, and to one that it is not connected to. Raises\n"
             "ValueError if there is no such host.")
        .def("noisy_hops", &noisy_hops, nb::arg("source"), nb::arg("target"),
             "The links of the minimal path that corrupt bits, in order: dicts of hop (0 is the\n"
             "source's link), link, modulation, bit_error_rate, can_protect and mapping. Raises\n"
             "ValueError if there is no such host.")
        .def(
            "zero_load_ps",
            [](const DescribedNetwork& network, std::uint64_t source, std::uint64_t target,
               std::uint64_t size_bytes) {
                return network.zero_load_time(source, target, size_bytes).ps;
            },
            nb::arg("source"), nb::arg("target"), nb::arg("size_bytes"),
            "Time in ps of a message through the idle network, from entering the interface of\n"
            "the source to its last byte at the target. Raises ValueError if there is no such\n"
            "host, or no path.");
}
