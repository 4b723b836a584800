#include "network/topology/grid.hpp"

namespace kumi::network {
namespace {

/// A grid whose rows end at its borders.
class Mesh final : public Grid {
   public:
    explicit Mesh(const TopologyParameters& parameters) : Grid(parameters, false) {}
};

KUMI_REGISTER(Topology, Mesh, "mesh", "A grid of switches whose rows end at its borders.");

}  // namespace
}  // namespace kumi::network
