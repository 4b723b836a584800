#include "mpi/wake/communicator.hpp"

namespace kumi::mpi::wake {
namespace {

constinit MpiFunction<int(Word, Word*)> real_group{"PMPI_Comm_group"};
constinit MpiFunction<int(Word, Word*)> real_remote_group{"PMPI_Comm_remote_group"};
constinit MpiFunction<int(Word, int*)> real_test_inter{"PMPI_Comm_test_inter"};
constinit MpiFunction<Word(int)> real_from_fortran{"PMPI_Comm_f2c"};
constinit MpiFunction<int(Word*)> real_group_free{"PMPI_Group_free"};
constinit MpiFunction<int(Word, int*)> real_group_size{"PMPI_Group_size"};
constinit MpiFunction<int(Word, int, const int*, Word, int*)> real_translate{
    "PMPI_Group_translate_ranks"};

Word group_of(Word communicator) {
    Word group = 0;
    real_group(communicator, &group);
    return group;
}

Word group_of_targets(Word communicator) {
    int has_remote_group = 0;
    real_test_inter(communicator, &has_remote_group);
    if (has_remote_group == 0) return group_of(communicator);
    Word group = 0;
    real_remote_group(communicator, &group);
    return group;
}

}  // namespace

Communicator::Communicator(Word handle) {
    const MpiAbi& abi = known_abi();
    // MPI libraries end the program that asks for the group of no communicator.
    if ((handle & abi.handle_mask) == abi.comm_null) return;
    x_group = group_of_targets(handle);
    x_world = group_of(abi.comm_world);
    real_group_size(x_group, &x_size);
}

Communicator::~Communicator() {
    if (!exists()) return;
    real_group_free(&x_group);
    real_group_free(&x_world);
}

std::optional<std::uint32_t> Communicator::world_rank(int member) const {
    if (member < 0 || member >= x_size) return std::nullopt;
    int rank = -1;
    real_translate(x_group, 1, &member, x_world, &rank);
    if (rank < 0) return std::nullopt;
    return static_cast<std::uint32_t>(rank);
}

Word communicator_of_fortran(int handle) {
    return real_from_fortran(handle) & known_abi().handle_mask;
}

Word communicator_of(Word argument, Language language) {
    return language == Language::kC ? argument & known_abi().handle_mask
                                    : communicator_of_fortran(number_of(argument, language));
}

}  // namespace kumi::mpi::wake
