#pragma once

#include <cstdint>

namespace kumi::schedule {

/// What in the calls of a recorded run may have depended on time. The program may do something else
/// over another platform; its schedule does not.
struct RecordedOrder {
    /// Calls that asked for completed requests, or waited for any of several, and found something.
    std::uint64_t polls = 0;
    /// Receives that accepted messages of several sources or tags.
    std::uint64_t wildcards = 0;

    bool may_depend_on_time() const { return polls > 0 || wildcards > 0; }
    bool operator==(const RecordedOrder&) const = default;
};

}  // namespace kumi::schedule
