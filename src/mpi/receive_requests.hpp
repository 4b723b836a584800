#pragma once

#include <cstdint>
#include <string_view>

#include "mpi/profile/session.hpp"
#include "mpi/rank_process.hpp"
#include "mpi/real_function.hpp"

/// Which requests of the program stand for receives, and which of them it waits for: for the
/// provider, which asks by the name in base/needed_receives.hpp.
namespace kumi::mpi::receive_requests {

using profile::Language;

enum class Role : std::uint8_t { kOther, kStartsReceive, kWaitsForOne, kWaitsForAll };

/// Of the function with this name, in C or Fortran.
constexpr Role role_of(std::string_view name) {
    const std::string_view plain = name.substr(4);
    if (plain == "Irecv" || plain == "Irecv_c" || plain == "irecv") return Role::kStartsReceive;
    if (plain == "Wait" || plain == "wait") return Role::kWaitsForOne;
    if (plain == "Waitall" || plain == "waitall") return Role::kWaitsForAll;
    return Role::kOther;
}

namespace detail {
void note_started(Word request, Language language);
void begin_wait(const void* requests, std::size_t count, Language language);
void end_wait();
}  // namespace detail

/// A call of a function with this role, while it lasts. `arguments` are those of MPI; of calls that
/// the MPI library makes of itself nothing is noted.
template <Role kRole, Language kLanguage>
class Call {
   public:
    Call(const CallScope& scope, const Word* arguments) : x_counts(scope.is_outermost()) {
        if (!x_counts) return;
        if constexpr (kRole == Role::kStartsReceive) x_request = arguments[6];
        if constexpr (kRole == Role::kWaitsForOne)
            detail::begin_wait(reinterpret_cast<const void*>(arguments[0]),
                               arguments[0] != 0 ? 1 : 0, kLanguage);
        if constexpr (kRole == Role::kWaitsForAll) {
            const int count = kLanguage == Language::kC
                                  ? static_cast<int>(arguments[0])
                                  : *reinterpret_cast<const int*>(arguments[0]);
            if (count > 0)
                detail::begin_wait(reinterpret_cast<const void*>(arguments[1]),
                                   static_cast<std::size_t>(count), kLanguage);
        }
    }
    /// The library has returned `result`: in Fortran nothing that means anything.
    void end(std::intptr_t result) const {
        if (!x_counts) return;
        if constexpr (kRole == Role::kStartsReceive) {
            const bool has_failed = kLanguage == Language::kC && static_cast<int>(result) != 0;
            if (!has_failed) detail::note_started(x_request, kLanguage);
        } else {
            detail::end_wait();
        }
    }

   private:
    const bool x_counts;
    Word x_request = 0;
};

template <Language kLanguage>
class Call<Role::kOther, kLanguage> {
   public:
    Call(const CallScope&, const Word*) {}
    void end(std::intptr_t) const {}
};

}  // namespace kumi::mpi::receive_requests
