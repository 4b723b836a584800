#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "collectives/torus/box_lines.hpp"
#include "collectives/torus/suh_shin.hpp"
#include "mpi/collectives/kind.hpp"
#include "mpi/real_function.hpp"
#include "mpi/run_link.hpp"

namespace kumi::conductor {
struct StartMember;
}

namespace kumi::mpi::collectives {

using kumi::collectives::BoxLines;
using kumi::collectives::RankProgram;
using kumi::collectives::SuhShinSteps;

/// Room for an MPI_Status of any MPI library.
struct alignas(16) Status {
    std::byte bytes[64];
};

/// What the ranks of one communicator need for calls that are carried out by a schedule. All of
/// them make it at their first such call on it, and all come to the same plan.
class GroupPlan {
   public:
    /// `communicator` exists.
    explicit GroupPlan(Word communicator);
    ~GroupPlan();
    GroupPlan(const GroupPlan&) = delete;
    GroupPlan& operator=(const GroupPlan&) = delete;

    /// The program makes its next call on the communicator. The choices below are for that call.
    void begin_call();
    /// Why no call on the communicator is scheduled; kScheduled if ranks can start together.
    CollectiveChoice choice() const { return x_choice == kScheduled ? x_hinted : x_choice; }
    /// The same of those that go along the lines of a box of ranks.
    CollectiveChoice choice_in_box() const { return x_lines ? choice() : without_shape(); }
    /// The same of those that exchange blocks between all pairs.
    CollectiveChoice choice_of_alltoall() const { return x_suh_shin ? choice() : without_shape(); }

    // Only in boxes.
    /// For messages of schedules. Made at the first call, a collective operation.
    Word own_communicator();
    const BoxLines& lines() const { return *x_lines; }
    // Only for exchanges between all pairs.
    const SuhShinSteps& suh_shin() const { return *x_suh_shin; }

    // Only if ranks can start together. They have places: in the box of their hosts if they fill
    // one, else in a row.
    Word communicator() const { return x_communicator; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(x_member_at.size()); }
    std::uint32_t place() const { return x_place; }
    /// The rank in the communicator.
    std::uint32_t member_at(std::uint32_t place) const { return x_member_at[place]; }
    std::uint32_t place_of(std::uint32_t member) const;
    /// The rank in the run.
    std::uint32_t rank_at(std::uint32_t place) const { return x_rank_at[place]; }
    /// To be called in virtual time.
    conductor::StartMember& start_member();
    /// Waits for the common start, and lets the MPI library go on with what others need meanwhile.
    /// Returns 0 or an error of MPI's.
    int start_together();

   private:
    CollectiveChoice choose();
    CollectiveChoice without_shape() const { return x_choice == kScheduled ? kShape : x_choice; }
    /// Whether MPI_COMM_WORLD has all members; finds their ranks in it.
    bool find_ranks();

    Word x_communicator;
    Word x_own = 0;
    std::optional<BoxLines> x_lines;
    std::optional<SuhShinSteps> x_suh_shin;
    std::uint32_t x_place = 0;
    std::vector<std::uint32_t> x_ranks;  ///< By member.
    std::vector<std::uint32_t> x_sides, x_member_at, x_rank_at;
    conductor::StartMember* x_start_member = nullptr;
    CollectiveChoice x_hinted = kScheduled;  ///< kHint if it is to be left.
    CollectiveChoice x_choice;               ///< Last: it fills in the others.
};

/// The plan of a communicator, made if it is new; nullptr if it is none.
GroupPlan* plan_of(Word communicator);
/// The same for the program's next call on it.
GroupPlan* plan_for_call(Word communicator);
/// Forgets the plan of a communicator.
void forget_plan(Word communicator);

}  // namespace kumi::mpi::collectives
