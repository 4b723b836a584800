#include "network/power/policies/link_policy.hpp"

namespace kumi::network::policies {

extern const LinkPolicy ideal{
    .name = "ideal",
    .help =
        "An oracle: a link sleeps whenever that saves energy, and is awake again exactly when "
        "data come. No link can do that; it is the measure of the others.",
    .foresees = true};

}  // namespace kumi::network::policies
