#pragma once

#include <cstdint>
#include <string_view>

#include "conductor/messages/bit_errors.hpp"
#include "conductor/port/rank_port.hpp"
#include "conductor/streams/carry_out.hpp"

namespace kumi::conductor {

/// A rank's end of the conductor for the places at which its program calls MPI.
class SitePort : public RankPort {
   public:
    explicit SitePort(RankProcess& process) : RankPort(process) {}

    /// Whether the run wants to know where the program calls MPI.
    bool distinguishes_sites() const { return x_state->matching_sites != nullptr; }
    /// Returns the number of a place, at which the rank has not called before; 0 if it has none.
    std::uint16_t add(const CallName& function, std::string_view module, std::uint64_t offset) {
        const Visit visit(x_process);
        return x_state->matching_sites[x_rank].add(canonical_name(function.text), module, offset);
    }
    /// The present MPI call is one of this place.
    void set(std::uint16_t site) { x_slot->site = site; }

    /// Whether the run profiles calls. The rest is only for then.
    bool profiles_calls() const { return x_state->call_sums != nullptr; }
    /// Returns the number, in the profile, of a place at which the rank has not called before.
    std::uint32_t add_profiled(const CallName& function, std::string_view module,
                               std::uint64_t offset) {
        const Visit visit(x_process);
        return x_state->call_sums[x_rank].add_place(*x_state->arena, function, module, offset);
    }
    /// The present MPI call, at this place, is about to end. `members` are those of the
    /// communicator that it names; 0 if it names none.
    void sum_call(std::uint32_t place, std::uint32_t members, bool only_asks) {
        const Visit visit(x_process);
        if (members > 0 &&
            !put_off({.kind = StreamOperation::Kind::kNameMembers, .number = members}))
            x_slot->call.members = members;
        const std::uint32_t number = number_of(place, only_asks);
        if (!put_off({.kind = StreamOperation::Kind::kSumCall, .number = number}))
            conductor::sum_call(*x_state, x_rank, number);
    }
};

}  // namespace kumi::conductor
