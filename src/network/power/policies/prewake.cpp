#include <algorithm>

#include "network/power/policies/link_policy.hpp"

namespace kumi::network::policies {
namespace {

/// A link that data had to wake is one whose next messages are not known. It had better not sleep
/// between data that follow each other, until they are announced again. One that has carried
/// nothing since the run began has no such data yet.
IdleCourse course(const PowerDescription& power, const LinkHistory*, Instant when,
                  bool was_called) {
    if (was_called) return IdleCourse(power, power.linger, power.deep_after);
    Duration unknown = power.threshold;
    if (when == Instant{}) unknown = std::min(unknown, power.shortest_sleep());
    return IdleCourse(power, std::max(unknown, power.linger), power.deep_after);
}

}  // namespace

extern const LinkPolicy prewake{
    .name = "prewake",
    .help =
        "A link goes to sleep when it has had nothing to carry for the time of "
        "`link_power.linger`, and wakes before data come, when a program, its compiler or the MPI "
        "layer announces them. A link that data had to wake, because they were not announced, "
        "stays active for `link_power.threshold` until some are. One that has carried "
        "nothing yet sleeps after the time of going to sleep and waking.",
    .takes_wake_frames = true,
    .course = &course};

}  // namespace kumi::network::policies
