#include "mpi/wake/communicator.hpp"

namespace kumi::mpi::wake {
namespace {

constinit RealFunction real_group{"PMPI_Comm_group"};
constinit RealFunction real_group_free{"PMPI_Group_free"};
constinit RealFunction real_group_size{"PMPI_Group_size"};
constinit RealFunction real_translate{"PMPI_Group_translate_ranks"};

Word group_of(Word communicator) {
    Word group = 0;
    real_group.as<int (*)(Word, Word*)>()(communicator, &group);
    return group;
}

}  // namespace

Communicator::Communicator(Word handle)
    : x_group(group_of(handle)), x_world(group_of(loaded_abi().comm_world)) {
    real_group_size.as<int (*)(Word, int*)>()(x_group, &x_size);
}

Communicator::~Communicator() {
    real_group_free.as<int (*)(Word*)>()(&x_group);
    real_group_free.as<int (*)(Word*)>()(&x_world);
}

std::optional<std::uint32_t> Communicator::world_rank(int member) const {
    if (member < 0 || member >= x_size) return std::nullopt;
    int rank = -1;
    real_translate.as<int (*)(Word, int, const int*, Word, int*)>()(x_group, 1, &member, x_world,
                                                                    &rank);
    if (rank < 0) return std::nullopt;
    return static_cast<std::uint32_t>(rank);
}

}  // namespace kumi::mpi::wake
