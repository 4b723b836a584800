#include "network/power/policies/link_policy.hpp"

namespace kumi::network::policies {

extern const LinkPolicy on_off{
    .name = "on_off",
    .help = "A link goes to sleep as soon as it has nothing to carry, and wakes when data come.",
    .course = [](const PowerDescription& power, const LinkHistory*, Instant, bool) {
        return IdleCourse(power, {}, power.deep_after);
    }};

}  // namespace kumi::network::policies
