#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/registry.hpp"
#include "network/fabric.hpp"
#include "network/routing/routing.hpp"

namespace kumi::network {

/// Rate, latency and noise of one direction of a link.
struct LinkParameters {
    std::uint64_t bandwidth_bps = 0;
    Duration latency{};
    std::uint8_t noise = 0;  ///< See LinkDescription.
};

/// A number of a topology, or several: one for each dimension, level and so on.
class Numbers {
   public:
    Numbers(std::uint64_t number) : x_values{number}, x_is_list(false) {}
    Numbers(std::initializer_list<std::uint64_t> values) : x_values(values) {}
    explicit Numbers(std::vector<std::uint64_t> values) : x_values(std::move(values)) {}

    const std::vector<std::uint64_t>& values() const { return x_values; }
    bool is_list() const { return x_is_list; }

   private:
    std::vector<std::uint64_t> x_values;
    bool x_is_list = true;
};

/// What a topology is made from, as a platform file says it.
struct TopologyParameters {
    std::string kind;
    std::map<std::string, Numbers> numbers;  ///< Such as "hosts"; each kind names its own.
    LinkParameters host_link{};              ///< At hosts.
    /// Between switches, in the order that the kind states: of each dimension or level, or local
    /// and global. A single entry holds for all of them; without any they are as `host_link`.
    std::vector<LinkParameters> switch_links{};

    /// The links between switches of class `index` of `count`. Throws std::invalid_argument if
    /// there are several entries, but not `count`.
    const LinkParameters& switch_link(std::size_t index, std::size_t count) const;
};

/// The shape of an interconnect: its vertices and links, and the paths through it. Lives in the
/// process that builds the network. Each kind is one file that registers itself.
class Topology : public Routing {
   public:
    using Parameters = TopologyParameters;

    /// Hosts, switches and links; the rest of the description keeps its defaults.
    virtual FabricDescription describe() const = 0;

    /// Virtual channels with which no circle of full buffers can come about, given the channel
    /// rules of its links.
    virtual std::uint32_t channels(RoutePolicy /*policy*/) const { return 1; }
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
    /// As `take`, but `otherwise` if the number was not given.
    std::uint32_t take_or(const std::string& name, std::uint32_t otherwise, std::uint32_t smallest,
                          std::uint32_t largest);
    /// The list `name` of 1 to `most` numbers, each within the limits.
    std::vector<std::uint32_t> take_list(const std::string& name, std::size_t most,
                                         std::uint32_t smallest, std::uint32_t largest);
    /// The list `name` of exactly `count` numbers; one number stands for a list of its like.
    std::vector<std::uint32_t> take_each(const std::string& name, std::size_t count,
                                         std::uint32_t smallest, std::uint32_t largest);
    /// The list `name` of up to `most` numbers of any size.
    const std::vector<std::uint64_t>& take_wide_list(const std::string& name, std::size_t most);
    /// Throws std::invalid_argument if a number was given that was not taken.
    void finish() const;

   private:
    const Numbers& find(const std::string& name);
    std::uint32_t check(const std::string& name, std::uint64_t value, std::uint32_t smallest,
                        std::uint32_t largest) const;
    [[noreturn]] void fail(const std::string& why) const;

    const TopologyParameters& x_parameters;
    std::set<std::string> x_taken;
};

/// For topologies: adds a link from `a` to `b`, then one from `b` to `a`. The fabric's numbers of
/// hosts and switches must be set: they name the vertices. Of parallel cables each has its own
/// number, which is part of the links' names.
void connect(FabricDescription& fabric, std::uint32_t a, std::uint32_t b,
             const LinkParameters& link, std::uint32_t cable = 0, ChannelRule channel = {});

/// For topologies of whose circles nothing is known. They need as many channels as the longest path
/// has links, but for the last, behind which there is no buffer.
inline constexpr ChannelRule kNextOnEachLink{0, 1};

/// Adds a link from `a` to `b` only.
void connect_one_way(FabricDescription& fabric, std::uint32_t a, std::uint32_t b,
                     const LinkParameters& link, std::uint32_t cable = 0, ChannelRule channel = {});

/// The product of sizes that a topology was given. Throws std::invalid_argument with `what` if it
/// is more than `largest`.
std::uint32_t checked_product(const std::vector<std::uint32_t>& factors, std::uint32_t largest,
                              const std::string& what);

/// Throws std::invalid_argument with `what` if there are more than kMostLinksByFormula.
void check_link_count(std::uint64_t links, const std::string& what);

/// Kinds for small networks have no more hosts.
inline constexpr std::uint32_t kMostHosts = 4096;
/// Nor have kinds whose paths follow from a formula more than these, or more directed links.
inline constexpr std::uint32_t kMostHostsByFormula = 1U << 21;
inline constexpr std::uint32_t kMostLinksByFormula = 1U << 26;

}  // namespace kumi::network
