#include "mpi/collectives/group_plan.hpp"

#include <memory>
#include <utility>

#include "collectives/rank_box.hpp"

namespace kumi::mpi::collectives {
namespace {

constinit RealFunction real_test_inter{"PMPI_Comm_test_inter"};
constinit RealFunction real_compare{"PMPI_Comm_compare"};
constinit RealFunction real_size{"PMPI_Comm_size"};
constinit RealFunction real_rank{"PMPI_Comm_rank"};
constinit RealFunction real_split{"PMPI_Comm_split"};
constinit RealFunction real_free{"PMPI_Comm_free"};
constinit RealFunction real_initialized{"PMPI_Initialized"};
constinit RealFunction real_create_key{"PMPI_Comm_create_keyval"};
constinit RealFunction real_get{"PMPI_Comm_get_attr"};
constinit RealFunction real_set{"PMPI_Comm_set_attr"};
constinit RealFunction real_delete{"PMPI_Comm_delete_attr"};

constexpr int kCongruent = 1;  ///< MPI_CONGRUENT; MPI_IDENT is 0.

/// A communicator that a program duplicates gets a plan of its own.
int copy_plan(Word, int, void*, void*, void*, int* is_copied) {
    *is_copied = 0;
    return 0;
}

int delete_plan(Word, int, void* plan, void*) {
    delete static_cast<GroupPlan*>(plan);
    return 0;
}

/// Of the attribute that holds the plan.
int plan_key() {
    static const int key = [] {
        int made = 0;
        real_create_key.as<int (*)(decltype(&copy_plan), decltype(&delete_plan), int*, void*)>()(
            &copy_plan, &delete_plan, &made, nullptr);
        return made;
    }();
    return key;
}

/// Whether its ranks are those of the run, in the same order.
bool is_like_world(Word communicator) {
    int has_world = 0;
    real_initialized.as<int (*)(int*)>()(&has_world);
    int result = kCongruent + 1;
    if (has_world != 0)
        real_compare.as<int (*)(Word, Word, int*)>()(communicator, known_abi().comm_world, &result);
    return result <= kCongruent;
}

}  // namespace

GroupPlan::GroupPlan(Word communicator) : x_choice(choose(communicator)) {
    if (x_choice != CollectiveChoice::kScheduled) return;
    int rank = 0;
    real_rank.as<int (*)(Word, int*)>()(communicator, &rank);
    // As a duplicate, but without the attributes of the program.
    real_split.as<int (*)(Word, int, int, Word*)>()(communicator, 0, rank, &x_own);
    x_own &= known_abi().handle_mask;
}

GroupPlan::~GroupPlan() {
    if (x_own != 0) real_free.as<int (*)(Word*)>()(&x_own);
}

CollectiveChoice GroupPlan::choose(Word communicator) {
    int is_inter = 0;
    real_test_inter.as<int (*)(Word, int*)>()(communicator, &is_inter);
    if (is_inter != 0 || !is_like_world(communicator)) return CollectiveChoice::kCommunicator;
    int size = 0;
    real_size.as<int (*)(Word, int*)>()(communicator, &size);
    std::vector<std::uint32_t> hosts;
    for (std::uint32_t rank = 0; std::cmp_less(rank, size); ++rank)
        hosts.push_back(run_link::host_of(rank));
    const auto box = find_box(hosts, run_link::host_grid());
    if (!box || !box->is_for_suh_shin()) return CollectiveChoice::kShape;
    x_sides = box->sides;
    x_suh_shin.emplace(RankTorus(box->sides));
    x_place = box->place_of[run_link::rank()];
    x_member_at.resize(hosts.size());
    for (std::uint32_t member = 0; member < hosts.size(); ++member)
        x_member_at[box->place_of[member]] = member;
    x_rank_at = x_member_at;
    return CollectiveChoice::kScheduled;
}

StartMember& GroupPlan::start_member() {
    if (x_start_member == nullptr) x_start_member = &run_link::join_group(x_rank_at, x_sides);
    return *x_start_member;
}

GroupPlan* plan_of(Word communicator) {
    if (communicator == known_abi().comm_null) return nullptr;
    void* plan = nullptr;
    int is_there = 0;
    real_get.as<int (*)(Word, int, void*, int*)>()(communicator, plan_key(), &plan, &is_there);
    if (is_there != 0) return static_cast<GroupPlan*>(plan);
    auto made = std::make_unique<GroupPlan>(communicator);
    real_set.as<int (*)(Word, int, void*)>()(communicator, plan_key(), made.get());
    return made.release();
}

void forget_plan(Word communicator) {
    void* plan = nullptr;
    int is_there = 0;
    real_get.as<int (*)(Word, int, void*, int*)>()(communicator, plan_key(), &plan, &is_there);
    if (is_there != 0) real_delete.as<int (*)(Word, int)>()(communicator, plan_key());
}

}  // namespace kumi::mpi::collectives
