#pragma once

#include <cstdint>
#include <string_view>

#include "conductor/messages/bit_errors.hpp"
#include "conductor/port/rank_port.hpp"

namespace kumi::conductor {

/// A rank's end of the conductor for the places at which its program calls MPI.
class SitePort : public RankPort {
   public:
    explicit SitePort(RankProcess& process) : RankPort(process) {}

    /// Whether the run wants to know where the program calls MPI.
    bool distinguishes_sites() const { return x_state->matching_sites != nullptr; }
    /// Returns the number of a place, at which the rank has not called before; 0 if it has none.
    std::uint16_t add(const CallName& function, std::string_view module, std::uint64_t offset) {
        return x_state->matching_sites[x_rank].add(canonical_name(function.text), module, offset);
    }
    /// The present MPI call is one of this place.
    void set(std::uint16_t site) { x_slot->site = site; }
};

}  // namespace kumi::conductor
