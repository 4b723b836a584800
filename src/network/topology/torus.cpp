#include "network/topology/grid.hpp"

namespace kumi::network {
namespace {

/// A grid whose rows are rings; a message takes the shorter way round. If both are equal it goes
/// upwards or, with the number `halfway_run`, as the coordinate says that it starts from.
class Torus final : public Grid {
   public:
    explicit Torus(const TopologyParameters& parameters) : Grid(parameters, true) {}
};

KUMI_REGISTER(Topology, Torus, "torus", "A grid of switches whose rows are rings.");

}  // namespace
}  // namespace kumi::network
