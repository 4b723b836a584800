#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/registry.hpp"
#include "network/fabric.hpp"
#include "network/routing/routing.hpp"

namespace kumi {

/// Rate and latency of one direction of a link.
struct LinkParameters {
    std::uint64_t bandwidth_bps = 0;
    Duration latency{};
};

/// What a topology is made from, as a platform file says it.
struct TopologyParameters {
    std::string kind;
    std::map<std::string, std::uint64_t> numbers;  ///< Such as "hosts"; each kind names its own.
    LinkParameters link;                           ///< At hosts.
    std::optional<LinkParameters> uplink;          ///< Between switches; as `link` if not given.

    const LinkParameters& uplink_or_link() const { return uplink ? *uplink : link; }
};

/// The shape of an interconnect: its vertices and links, and the paths through it. Lives in the
/// process that builds the network. Each kind is one file that registers itself.
class Topology : public Routing {
   public:
    using Parameters = TopologyParameters;

    /// Hosts, switches and links; the rest of the description keeps its defaults.
    virtual FabricDescription describe() const = 0;
};

/// Makes a topology of the kind that the parameters name. Throws std::invalid_argument, with what
/// was expected, if there is no such kind, or a number is missing, unknown or impossible.
std::unique_ptr<Topology> make_topology(const TopologyParameters& parameters);

/// For topologies: takes the numbers out of the parameters and complains about what is wrong.
class TopologyNumbers {
   public:
    explicit TopologyNumbers(const TopologyParameters& parameters) : x_parameters(parameters) {}

    /// The number `name`, from `smallest` to `largest`; throws std::invalid_argument otherwise.
    std::uint32_t take(const std::string& name, std::uint32_t smallest, std::uint32_t largest);
    /// Throws std::invalid_argument if a number was given that nobody took.
    void finish() const;

   private:
    const TopologyParameters& x_parameters;
    std::set<std::string> x_taken;
};

/// For topologies: adds a link from `a` to `b`, then one from `b` to `a`. The fabric's numbers of
/// hosts and switches must be set: they name the vertices.
void connect(FabricDescription& fabric, std::uint32_t a, std::uint32_t b,
             const LinkParameters& link);

/// No kind has more hosts: the table of all paths would fill the memory.
inline constexpr std::uint32_t kMostHosts = 4096;

}  // namespace kumi
