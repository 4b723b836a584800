#include "network/topology/topology.hpp"

#include <stdexcept>

namespace kumi::network {

/// "a, b, c".
static std::string enumeration(const auto& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return all;
}

std::unique_ptr<Topology> make_topology(const TopologyParameters& parameters) {
    const auto& registry = Registry<Topology>::instance();
    if (registry.contains(parameters.kind)) return registry.make(parameters.kind, parameters);
    throw std::invalid_argument("topology '" + parameters.kind + "' is not known; there are " +
                                enumeration(registry.names()));
}

const LinkParameters& TopologyParameters::switch_link(std::size_t index, std::size_t count) const {
    if (switch_links.empty()) return host_link;
    if (switch_links.size() == 1) return switch_links.front();
    if (switch_links.size() == count) return switch_links[index];
    throw std::invalid_argument("topology " + kind + " has " + std::to_string(count) +
                                " kinds of links between switches, but " +
                                std::to_string(switch_links.size()) + " are described");
}

void TopologyNumbers::fail(const std::string& why) const {
    throw std::invalid_argument("topology " + x_parameters.kind + ": " + why);
}

const Numbers& TopologyNumbers::find(const std::string& name) {
    const auto found = x_parameters.numbers.find(name);
    if (found == x_parameters.numbers.end()) fail(name + " is missing");
    x_taken.insert(name);
    return found->second;
}

std::uint32_t TopologyNumbers::check(const std::string& name, std::uint64_t value,
                                     std::uint32_t smallest, std::uint32_t largest) const {
    if (value < smallest || value > largest) {
        fail(name + " must be between " + std::to_string(smallest) + " and " +
             std::to_string(largest) + ", not " + std::to_string(value));
    }
    return static_cast<std::uint32_t>(value);
}

std::uint32_t TopologyNumbers::take(const std::string& name, std::uint32_t smallest,
                                    std::uint32_t largest) {
    const Numbers& numbers = find(name);
    if (numbers.is_list()) fail(name + " must be one number, not a list");
    return check(name, numbers.values().front(), smallest, largest);
}

std::uint32_t TopologyNumbers::take_or(const std::string& name, std::uint32_t otherwise,
                                       std::uint32_t smallest, std::uint32_t largest) {
    x_taken.insert(name);
    return x_parameters.numbers.contains(name) ? take(name, smallest, largest) : otherwise;
}

std::vector<std::uint32_t> TopologyNumbers::take_list(const std::string& name, std::size_t most,
                                                      std::uint32_t smallest,
                                                      std::uint32_t largest) {
    const Numbers& numbers = find(name);
    if (!numbers.is_list()) fail(name + " must be a list of numbers");
    const std::size_t count = numbers.values().size();
    if (count == 0 || count > most) {
        fail(name + " must have between 1 and " + std::to_string(most) + " numbers, not " +
             std::to_string(count));
    }
    std::vector<std::uint32_t> values;
    for (const std::uint64_t value : numbers.values()) {
        values.push_back(check(name, value, smallest, largest));
    }
    return values;
}

std::vector<std::uint32_t> TopologyNumbers::take_each(const std::string& name, std::size_t count,
                                                      std::uint32_t smallest,
                                                      std::uint32_t largest) {
    if (!find(name).is_list()) {
        return std::vector<std::uint32_t>(count, take(name, smallest, largest));
    }
    std::vector<std::uint32_t> values =
        take_list(name, find(name).values().size(), smallest, largest);
    if (values.size() != count) {
        fail(name + " must have " + std::to_string(count) + " numbers, not " +
             std::to_string(values.size()));
    }
    return values;
}

const std::vector<std::uint64_t>& TopologyNumbers::take_wide_list(const std::string& name,
                                                                  std::size_t most) {
    const Numbers& numbers = find(name);
    if (!numbers.is_list()) fail(name + " must be a list of numbers");
    if (numbers.values().size() > most) {
        fail(name + " must have at most " + std::to_string(most) + " numbers, not " +
             std::to_string(numbers.values().size()));
    }
    return numbers.values();
}

void TopologyNumbers::finish() const {
    for (const auto& [name, value] : x_parameters.numbers) {
        if (x_taken.find(name) != x_taken.end()) continue;
        throw std::invalid_argument("topology " + x_parameters.kind + " has no '" + name +
                                    "'; it has " + enumeration(x_taken));
    }
}

void connect_one_way(FabricDescription& fabric, std::uint32_t a, std::uint32_t b,
                     const LinkParameters& link, std::uint32_t cable, ChannelRule channel) {
    fabric.links.push_back({a, b, link.bandwidth_bps, link.latency, channel, link.noise, cable});
}

void connect(FabricDescription& fabric, std::uint32_t a, std::uint32_t b,
             const LinkParameters& link, std::uint32_t cable, ChannelRule channel) {
    connect_one_way(fabric, a, b, link, cable, channel);
    connect_one_way(fabric, b, a, link, cable, channel);
}

std::uint32_t checked_product(const std::vector<std::uint32_t>& factors, std::uint32_t largest,
                              const std::string& what) {
    std::uint64_t product = 1;
    for (const std::uint32_t factor : factors) {
        product *= factor;
        if (product > largest) {
            throw std::invalid_argument(what + " must be at most " + std::to_string(largest));
        }
    }
    return static_cast<std::uint32_t>(product);
}

void check_link_count(std::uint64_t links, const std::string& what) {
    if (links > kMostLinksByFormula)
        throw std::invalid_argument(what + " must be at most " +
                                    std::to_string(kMostLinksByFormula));
}

}  // namespace kumi::network
