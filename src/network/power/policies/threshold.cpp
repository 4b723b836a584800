#include "network/power/policies/link_policy.hpp"

namespace kumi::network::policies {

extern const LinkPolicy threshold{
    .name = "threshold",
    .help =
        "A link goes to sleep when it has had nothing to carry for the time of "
        "`link_power.threshold`, and wakes when data come.",
    .course = [](const PowerDescription& power, const LinkHistory*, Instant, bool) {
        return IdleCourse(power, power.threshold, power.deep_after);
    }};

}  // namespace kumi::network::policies
