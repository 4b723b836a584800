#include "network/power/link_policy.hpp"

namespace kumi::policies {

extern const LinkPolicy prewake{
    .name = "prewake",
    .help =
        "As on_off; besides, links wake when a program, its compiler or the MPI layer says that "
        "data will come.",
    .takes_wake_frames = true,
    .course = [](const PowerDescription& power, const LinkHistory*, Instant) {
        return IdleCourse(power, {}, power.deep_after);
    }};

}  // namespace kumi::policies
