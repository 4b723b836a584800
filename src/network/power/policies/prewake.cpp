#include "network/power/link_policy.hpp"

namespace kumi::policies {

extern const LinkPolicy prewake{
    .name = "prewake",
    .help =
        "A link goes to sleep when it has had nothing to carry for the time of "
        "`link_power.linger`, and wakes when data come, or before, when a program, its compiler or "
        "the MPI layer says that they will.",
    .takes_wake_frames = true,
    .course = [](const PowerDescription& power, const LinkHistory*, Instant) {
        return IdleCourse(power, power.linger, power.deep_after);
    }};

}  // namespace kumi::policies
