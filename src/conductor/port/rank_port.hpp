#pragma once

#include "conductor/process/rank_process.hpp"

namespace kumi::conductor {

/// What the ports of a rank have in common: each is a view of the rank's process with one purpose.
/// It reaches the segment itself, so that its inline functions do so directly.
class RankPort : protected RankAccess {
   protected:
    using Visit = RankProcess::Visit;

    explicit RankPort(RankProcess& process) : RankAccess(process), x_process(process) {}

    RankProcess& x_process;
};

}  // namespace kumi::conductor
