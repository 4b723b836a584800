#include <algorithm>

#include "network/power/link_policy.hpp"

namespace kumi::policies {
namespace {

/// A link that data had to wake is one of which nobody knows what will cross it. It had better not
/// sleep between data that follow each other, until somebody knows again.
IdleCourse course(const PowerDescription& power, const LinkHistory*, Instant, bool was_called) {
    const Duration unknown = std::max(power.threshold, power.linger);
    return IdleCourse(power, was_called ? power.linger : unknown, power.deep_after);
}

}  // namespace

extern const LinkPolicy prewake{
    .name = "prewake",
    .help =
        "A link goes to sleep when it has had nothing to carry for the time of "
        "`link_power.linger`, and wakes before data come, when a program, its compiler or the MPI "
        "layer says that they will. A link that data had to wake, because nobody did, stays "
        "active for `link_power.threshold` until somebody does.",
    .takes_wake_frames = true,
    .course = &course};

}  // namespace kumi::policies
