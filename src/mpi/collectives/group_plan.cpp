#include "mpi/collectives/group_plan.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "collectives/torus/rank_box.hpp"
#include "conductor/port/collective_port.hpp"
#include "mpi/content/sent_content.hpp"

namespace kumi::mpi::collectives {

using namespace kumi::collectives;
namespace {

constinit MpiFunction<int(Word, int*)> real_test_inter{"PMPI_Comm_test_inter"};
constinit MpiFunction<int(Word, Word*)> real_group{"PMPI_Comm_group"};
constinit MpiFunction<int(Word*)> real_group_free{"PMPI_Group_free"};
constinit MpiFunction<int(Word, int, const int*, Word, int*)> real_translate{
    "PMPI_Group_translate_ranks"};
constinit MpiFunction<int(int, int, Word, int*, void*)> real_probe{"PMPI_Iprobe"};
constinit MpiFunction<int(Word, int*)> real_size{"PMPI_Comm_size"};
constinit MpiFunction<int(Word, int*)> real_rank{"PMPI_Comm_rank"};
constinit MpiFunction<int(Word, int, int, Word*)> real_split{"PMPI_Comm_split"};
constinit MpiFunction<int(Word*)> real_free{"PMPI_Comm_free"};
constinit MpiFunction<int(int*)> real_initialized{"PMPI_Initialized"};
constinit MpiFunction<int(Word, int, void*, int*)> real_get{"PMPI_Comm_get_attr"};
constinit MpiFunction<int(Word, int, void*)> real_set{"PMPI_Comm_set_attr"};
constinit MpiFunction<int(Word, int)> real_delete{"PMPI_Comm_delete_attr"};

/// A communicator that a program duplicates gets a plan of its own.
int copy_plan(Word, int, void*, void*, void*, int* is_copied) {
    *is_copied = 0;
    return 0;
}

int delete_plan(Word, int, void* plan, void*) {
    delete static_cast<GroupPlan*>(plan);
    return 0;
}

constinit MpiFunction<int(decltype(&copy_plan), decltype(&delete_plan), int*, void*)>
    real_create_key{"PMPI_Comm_create_keyval"};

/// Of the attribute that holds the plan.
int plan_key() {
    static const int key = [] {
        int made = 0;
        real_create_key(&copy_plan, &delete_plan, &made, nullptr);
        return made;
    }();
    return key;
}

/// A group of a communicator, while it is needed.
class Group {
   public:
    explicit Group(Word communicator) { real_group(communicator, &x_handle); }
    ~Group() { real_group_free(&x_handle); }
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;
    Word handle() const { return x_handle; }

   private:
    Word x_handle = 0;
};

}  // namespace

GroupPlan::GroupPlan(Word communicator) : x_communicator(communicator), x_choice(choose()) {}

Word GroupPlan::own_communicator() {
    if (x_own != 0) return x_own;
    int rank = 0;
    real_rank(x_communicator, &rank);
    // What a split sends are colours, keys and context numbers, also where the call that needs the
    // plan sends doubles, which may arrive with errors.
    const sent_content::OwnMessages exact;
    // As a duplicate, but without the attributes of the program.
    real_split(x_communicator, 0, rank, &x_own);
    x_own &= known_abi().handle_mask;
    return x_own;
}

GroupPlan::~GroupPlan() {
    if (x_own != 0) real_free(&x_own);
}

bool GroupPlan::find_ranks() {
    int has_world = 0;
    real_initialized(&has_world);
    if (has_world == 0) return false;
    int size = 0;
    real_size(x_communicator, &size);
    std::vector<int> members(static_cast<std::size_t>(size)), ranks(members.size());
    std::iota(members.begin(), members.end(), 0);
    const Group own(x_communicator), world(known_abi().comm_world);
    real_translate(own.handle(), size, members.data(), world.handle(), ranks.data());
    x_ranks.assign(ranks.begin(), ranks.end());
    return std::ranges::all_of(ranks, [](int rank) { return rank >= 0; });
}

CollectiveChoice GroupPlan::choose() {
    int is_inter = 0;
    real_test_inter(x_communicator, &is_inter);
    if (is_inter != 0 || !find_ranks()) return kCommunicator;
    const auto size = static_cast<std::uint32_t>(x_ranks.size());
    std::vector<std::uint32_t> hosts;
    const conductor::CollectivePort& port = run_link::collectives();
    for (const std::uint32_t rank : x_ranks) hosts.push_back(port.host_of(rank));
    auto box = find_box(hosts, {port.sides_of_hosts(), port.hosts_are_torus()});
    // Along no dimension there is one point.
    if (box && !box->sides.empty()) {
        x_lines.emplace(box->sides, box->is_ring);
    } else {
        box = {.sides = {size}, .is_ring = {false}, .place_of = std::vector<std::uint32_t>(size)};
        std::iota(box->place_of.begin(), box->place_of.end(), 0U);
    }
    if (box->is_for_suh_shin()) x_suh_shin.emplace(RankTorus(box->sides));
    x_sides = box->sides;
    x_member_at.resize(size);
    x_rank_at.resize(size);
    for (std::uint32_t member = 0; member < size; ++member) {
        const std::uint32_t place = box->place_of[member];
        if (x_ranks[member] == run_link::rank()) x_place = place;
        x_member_at[place] = member;
        x_rank_at[place] = x_ranks[member];
    }
    return kScheduled;
}

std::uint32_t GroupPlan::place_of(std::uint32_t member) const {
    return static_cast<std::uint32_t>(std::ranges::find(x_member_at, member) - x_member_at.begin());
}

void GroupPlan::begin_call() {
    conductor::CollectivePort& port = run_link::collectives();
    if (x_choice != kScheduled || !port.schedules_in_kernel_only()) return;
    x_hinted = port.is_call_in_kernel(start_member()) ? kScheduled : kHint;
}

conductor::StartMember& GroupPlan::start_member() {
    if (x_start_member == nullptr)
        x_start_member = &run_link::collectives().join_group(x_rank_at, x_sides);
    return *x_start_member;
}

// Looks for a message that does not exist: any look makes the library take what is complete, and
// the next one makes it answer (one-sided operations of Open MPI). The tag alternates, because a
// rank that looks for the same again and again is taken to wait for it.
int GroupPlan::start_together() {
    const int self = static_cast<int>(member_at(place()));
    FirstError error;
    conductor::CollectivePort& port = run_link::collectives();
    while (!port.await_start(start_member())) {
        const CallClass before = port.poll_as(CallClass::kPolling);
        for (const int tag : {0, 1}) {
            int is_there = 0;
            Status status;
            error.note(real_probe(self, tag, x_communicator, &is_there, &status));
        }
        (void)port.poll_as(before);
    }
    return error.code;
}

GroupPlan* plan_of(Word communicator) {
    if (communicator == known_abi().comm_null) return nullptr;
    void* plan = nullptr;
    int is_there = 0;
    real_get(communicator, plan_key(), &plan, &is_there);
    if (is_there != 0) return static_cast<GroupPlan*>(plan);
    auto made = std::make_unique<GroupPlan>(communicator);
    real_set(communicator, plan_key(), made.get());
    return made.release();
}

GroupPlan* plan_for_call(Word communicator) {
    GroupPlan* plan = plan_of(communicator);
    if (plan != nullptr) plan->begin_call();
    return plan;
}

void forget_plan(Word communicator) {
    void* plan = nullptr;
    int is_there = 0;
    real_get(communicator, plan_key(), &plan, &is_there);
    if (is_there != 0) real_delete(communicator, plan_key());
}

}  // namespace kumi::mpi::collectives
