// What programs call through include/kumihimo/hint.h and kumihimo.hint.

#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/size_text.hpp"
#include "mpi/clocks/rank_stage.hpp"
#include "mpi/export.hpp"
#include "mpi/hints/held_back.hpp"
#include "mpi/run_link.hpp"
#include "mpi/wake/communicator.hpp"
#include "mpi/wake/session.hpp"

using namespace kumi::mpi;

namespace {

// The codes of hint.h, which defines functions of the same names and cannot be included here.
constexpr int kTaken = 0;
constexpr int kRefused = -1;

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
    if (!in_virtual_time()) return kTaken;
    const wake::Communicator world(loaded_abi().comm_world);
    if (value == "all") return wake_members(world);
    int member = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), member);
    if (error != std::errc{} || end != value.data() + value.size()) return kRefused;
    return wake_member(world, member);
}

using kumi::endpoint::service::Hint;
using kumi::endpoint::service::HintKey;

/// "1" where a region begins, "0" where it ends; of a budget bytes, perhaps with a unit.
std::optional<std::uint64_t> value_of(HintKey key, std::string_view text) {
    static constexpr kumi::SizeUnit kUnits[] = {{"", 1},
                                                {"B", 1},
                                                {"kB", 1'000},
                                                {"MB", 1'000'000},
                                                {"GB", 1'000'000'000},
                                                {"KiB", 1 << 10},
                                                {"MiB", 1 << 20},
                                                {"GiB", 1 << 30}};
    static constexpr kumi::SizeUnit kBare[] = {{"", 1}};
    if (kumi::endpoint::service::is_size(key)) return kumi::read_size(text, kUnits);
    return kumi::read_size(text, kBare);
}

/// Hints to the service of the rank.
int hint_service(HintKey key, std::string_view text) {
    const auto value = value_of(key, text);
    const Hint hint{key, value.value_or(~std::uint64_t{0})};
    if (!hint.is_possible()) return kRefused;
    if (!in_virtual_time()) return kTaken;
    if (!spends_virtual_time()) {
        held_back_hints::add(hint);
        return kTaken;
    }
    held_back_hints::pass_all();
    run_link::note_hint(hint);
    return kTaken;
}

}  // namespace

KUMI_EXPORT int kumi_wake_rank(int rank) {
    if (!in_virtual_time()) return kTaken;
    return wake_member(wake::Communicator(loaded_abi().comm_world), rank);
}

KUMI_EXPORT int kumi_wake_member(Word communicator, int rank) {
    if (!in_virtual_time()) return kTaken;
    return wake_member(wake::Communicator(communicator), rank);
}

KUMI_EXPORT int kumi_wake_members(Word communicator) {
    if (!in_virtual_time()) return kTaken;
    return wake_members(wake::Communicator(communicator));
}

// The same for Fortran, where handles are integers.
KUMI_EXPORT int kumi_wake_fortran_member(int communicator, int rank) {
    if (!in_virtual_time()) return kTaken;
    return kumi_wake_member(wake::communicator_of_fortran(communicator), rank);
}

KUMI_EXPORT int kumi_wake_fortran_members(int communicator) {
    if (!in_virtual_time()) return kTaken;
    return kumi_wake_members(wake::communicator_of_fortran(communicator));
}

KUMI_EXPORT void kumi_wake_next(const void* place) { wake::pass_hint(place); }

KUMI_EXPORT int kumi_hint(const char* key, const char* value, const void* place) {
    if (key == nullptr || value == nullptr) return kRefused;
    if (std::strcmp(key, "WAKE") == 0) return hint_wake(value, place);
    if (const auto known = kumi::endpoint::service::hint_key_of(key))
        return hint_service(*known, value);
    if (spends_virtual_time()) {
        kumi::CallName name;
        std::snprintf(name.text, sizeof name.text, "%s", key);
        run_link::note_unknown_hint(name);
    }
    return kRefused;
}
