#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "mpi/calls/started_requests.hpp"
#include "mpi/function_name.hpp"
#include "mpi/process/rank_process.hpp"
#include "mpi/real_function.hpp"

/// Which requests of the program its calls start, and for which they wait: noted only in runs of
/// which calls are recorded.
namespace kumi::mpi::recorded_requests {

enum class Role : std::uint8_t {
    kOther,
    kStarts,     ///< One request, and returns before that is complete.
    kBuffers,    ///< Returns before what it sends is complete, without a request.
    kStartsOne,  ///< A persistent request.
    kStartsAll,  ///< Persistent requests.
    kWaitsForOne,
    kWaitsForAll,
    kLooksAtOne,  ///< Returns although that may not be complete.
    kLooksAtAll,  ///< Returns although not all of an array are complete.
};

/// Of the function with this name, in C or Fortran.
constexpr Role role_of(std::string_view name) {
    if (is_one_of(name, "isend", "irsend", "issend", "ibsend", "irecv")) return Role::kStarts;
    if (is_function(name, "bsend")) return Role::kBuffers;
    if (is_function(name, "start")) return Role::kStartsOne;
    if (is_function(name, "startall")) return Role::kStartsAll;
    if (is_function(name, "wait")) return Role::kWaitsForOne;
    if (is_function(name, "waitall")) return Role::kWaitsForAll;
    if (is_function(name, "test")) return Role::kLooksAtOne;
    if (is_one_of(name, "waitany", "waitsome", "testall", "testany", "testsome"))
        return Role::kLooksAtAll;
    return Role::kOther;
}

namespace detail {
/// Whether calls are recorded, at this time.
bool are_recorded();
/// The present call returns before what it starts is complete.
void note_starts(bool are_persistent);
void note_started(const Requests& requests, bool are_persistent);
std::vector<Word> handles_in(const Requests& requests);
/// The present call has returned; these were the handles before. `needs_all`: it does not return
/// before all are complete.
void note_waited(const Requests& requests, const std::vector<Word>& before, bool needs_all);
}  // namespace detail

/// A call of a function with this role, while it lasts. `arguments` are those of MPI.
template <Role kRole, Language kLanguage>
class Call {
   public:
    Call(const CallScope& scope, const Word* arguments)
        : x_counts(scope.is_outermost() && detail::are_recorded()) {
        if (!x_counts) return;
        x_requests = requests_of(arguments);
        if constexpr (kWaits)
            x_before = detail::handles_in(x_requests);
        else
            detail::note_starts(kArePersistent);
    }
    /// The library has returned.
    void end() const {
        if (!x_counts) return;
        if constexpr (kWaits)
            detail::note_waited(x_requests, x_before, kNeedsAll);
        else
            detail::note_started(x_requests, kArePersistent);
    }

   private:
    static constexpr bool kNeedsAll = kRole == Role::kWaitsForOne || kRole == Role::kWaitsForAll;
    static constexpr bool kWaits =
        kNeedsAll || kRole == Role::kLooksAtOne || kRole == Role::kLooksAtAll;
    static constexpr bool kArePersistent = kRole == Role::kStartsOne || kRole == Role::kStartsAll;
    static constexpr bool kHasOne =
        kRole == Role::kWaitsForOne || kRole == Role::kLooksAtOne || kRole == Role::kStartsOne;

    static Requests requests_of(const Word* arguments) {
        if constexpr (kRole == Role::kBuffers) return {};
        if constexpr (kRole == Role::kStarts) return Requests::one(arguments[6], kLanguage);
        if constexpr (kHasOne) return Requests::one(arguments[0], kLanguage);
        return Requests::array(arguments, kLanguage);
    }

    const bool x_counts;
    Requests x_requests;
    std::vector<Word> x_before;  ///< Handles, of a call that waits.
};

template <Language kLanguage>
class Call<Role::kOther, kLanguage> {
   public:
    Call(const CallScope&, const Word*) {}
    void end() const {}
};

}  // namespace kumi::mpi::recorded_requests
