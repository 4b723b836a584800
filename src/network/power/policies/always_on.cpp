#include "network/power/policies/link_policy.hpp"

namespace kumi::network::policies {

extern const LinkPolicy always_on{.name = "always_on",
                                  .help = "Links never sleep.",
                                  .course = [](const PowerDescription& power, const LinkHistory*,
                                               Instant, bool) { return IdleCourse::awake(power); }};

}  // namespace kumi::network::policies
