// What programs call through include/kumihimo/hint.h and kumihimo.hint.

#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "mpi/export.hpp"
#include "mpi/rank_stage.hpp"
#include "mpi/run_link.hpp"
#include "mpi/wake/communicator.hpp"
#include "mpi/wake/session.hpp"

namespace {

// The codes of hint.h, which defines functions of the same names and cannot be included here.
constexpr int kTaken = 0;
constexpr int kRefused = -1;

using kumi::mpi::Word;
namespace wake = kumi::mpi::wake;

int wake_members(const wake::Communicator& communicator) {
    if (!communicator.exists()) return kRefused;
    for (int member = 0; member < communicator.size(); ++member) {
        const auto target = communicator.world_rank(member);
        if (target) wake::wake_rank(*target);
    }
    return kTaken;
}

int wake_member(const wake::Communicator& communicator, int member) {
    const auto target = communicator.world_rank(member);
    if (!target) return kRefused;
    wake::wake_rank(*target);
    return kTaken;
}

/// "next", "all" or a rank.
int hint_wake(std::string_view value, const void* place) {
    if (value == "next") {
        if (place == nullptr) return kRefused;
        wake::pass_hint(place);
        return kTaken;
    }
    if (!kumi::mpi::in_virtual_time()) return kTaken;
    const wake::Communicator world(kumi::mpi::loaded_abi().comm_world);
    if (value == "all") return wake_members(world);
    int member = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), member);
    if (error != std::errc{} || end != value.data() + value.size()) return kRefused;
    return wake_member(world, member);
}

/// "1" where the region begins, "0" where it ends.
int hint_in_kernel(std::string_view value) {
    if (value != "0" && value != "1") return kRefused;
    if (kumi::mpi::spends_virtual_time()) kumi::mpi::run_link::note_kernel(value == "1");
    return kTaken;
}

}  // namespace

KUMI_EXPORT int kumi_wake_rank(int rank) {
    if (!kumi::mpi::in_virtual_time()) return kTaken;
    return wake_member(wake::Communicator(kumi::mpi::loaded_abi().comm_world), rank);
}

KUMI_EXPORT int kumi_wake_member(Word communicator, int rank) {
    if (!kumi::mpi::in_virtual_time()) return kTaken;
    return wake_member(wake::Communicator(communicator), rank);
}

KUMI_EXPORT int kumi_wake_members(Word communicator) {
    if (!kumi::mpi::in_virtual_time()) return kTaken;
    return wake_members(wake::Communicator(communicator));
}

// The same for Fortran, where handles are integers.
KUMI_EXPORT int kumi_wake_fortran_member(int communicator, int rank) {
    if (!kumi::mpi::in_virtual_time()) return kTaken;
    return kumi_wake_member(wake::communicator_of_fortran(communicator), rank);
}

KUMI_EXPORT int kumi_wake_fortran_members(int communicator) {
    if (!kumi::mpi::in_virtual_time()) return kTaken;
    return kumi_wake_members(wake::communicator_of_fortran(communicator));
}

KUMI_EXPORT void kumi_wake_next(const void* place) { wake::pass_hint(place); }

KUMI_EXPORT int kumi_hint(const char* key, const char* value, const void* place) {
    if (key == nullptr || value == nullptr) return kRefused;
    if (std::strcmp(key, "WAKE") == 0) return hint_wake(value, place);
    if (std::strcmp(key, "IN_KERNEL") == 0) return hint_in_kernel(value);
    return kRefused;
}
