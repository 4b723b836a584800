#pragma once

namespace kumi::matching {

/// Where a queue reports each step of which the number may grow with its length: an entry, a bucket
/// or a sum that it looks at. Tests count them; this one does nothing.
struct UncountedSteps {
    static void step() {}
};

}  // namespace kumi::matching
