#include "network/topology/topology.hpp"

#include <stdexcept>

namespace kumi {

std::unique_ptr<Topology> make_topology(const TopologyParameters& parameters) {
    const auto& registry = Registry<Topology>::instance();
    if (registry.contains(parameters.kind)) return registry.make(parameters.kind, parameters);
    std::string known;
    for (const std::string& name : registry.names()) known += (known.empty() ? "" : ", ") + name;
    throw std::invalid_argument("topology '" + parameters.kind + "' is not known; there are " +
                                known);
}

std::uint32_t TopologyNumbers::take(const std::string& name, std::uint32_t smallest,
                                    std::uint32_t largest) {
    const std::string what = "topology " + x_parameters.kind + ": " + name;
    const auto found = x_parameters.numbers.find(name);
    if (found == x_parameters.numbers.end()) throw std::invalid_argument(what + " is missing");
    if (found->second < smallest || found->second > largest) {
        throw std::invalid_argument(what + " must be between " + std::to_string(smallest) +
                                    " and " + std::to_string(largest) + ", not " +
                                    std::to_string(found->second));
    }
    x_taken.insert(name);
    return static_cast<std::uint32_t>(found->second);
}

void TopologyNumbers::finish() const {
    for (const auto& [name, value] : x_parameters.numbers) {
        if (x_taken.find(name) != x_taken.end()) continue;
        std::string known;
        for (const std::string& taken : x_taken) known += (known.empty() ? "" : ", ") + taken;
        throw std::invalid_argument("topology " + x_parameters.kind + " has no '" + name +
                                    "'; it has " + known);
    }
}

void connect(FabricDescription& fabric, std::uint32_t a, std::uint32_t b,
             const LinkParameters& link) {
    for (const auto& [source, target] : {std::pair{a, b}, std::pair{b, a}}) {
        fabric.links.push_back({vertex_name(fabric, source) + "->" + vertex_name(fabric, target),
                                source, target, link.bandwidth_bps, link.latency});
    }
}

}  // namespace kumi
