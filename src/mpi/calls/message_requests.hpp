#pragma once

#include <cstdint>
#include <string_view>

#include "mpi/calls/library_algorithms.hpp"
#include "mpi/calls/started_requests.hpp"
#include "mpi/function_name.hpp"
#include "mpi/process/rank_process.hpp"
#include "mpi/real_function.hpp"

/// Which requests of the program stand for receives and sends, which of them it waits for, and how
/// many it has looked through: for the provider, which asks by base/shim_table.hpp.
namespace kumi::mpi::message_requests {

enum class Role : std::uint8_t {
    kOther,
    kStartsMessage,
    kStartsOne,  ///< A persistent request.
    kStartsAll,
    kMakesSynchronous,  ///< A persistent request.
    kSendsOrReceives,   ///< And returns when that is over.
    kExchangesAll,      ///< With all others, often many messages at once.
    kWaitsForOne,
    kWaitsForAll,
    kLooksThrough,  ///< An array, for one that is complete.
    kAgrees,        ///< With others on a new communicator, in many steps that are no messages.
};

/// Of the function with this name, in C or Fortran.
constexpr Role role_of(std::string_view name) {
    if (is_one_of(name, "irecv", "isend", "irsend")) return Role::kStartsMessage;
    if (is_function(name, "start")) return Role::kStartsOne;
    if (is_function(name, "startall")) return Role::kStartsAll;
    if (is_function(name, "ssend_init")) return Role::kMakesSynchronous;
    if (is_one_of(name, "send", "rsend", "ssend", "recv", "sendrecv", "sendrecv_replace"))
        return Role::kSendsOrReceives;
    if (is_one_of(name, "alltoall", "alltoallv", "alltoallw")) return Role::kExchangesAll;
    if (is_function(name, "wait")) return Role::kWaitsForOne;
    if (is_function(name, "waitall")) return Role::kWaitsForAll;
    if (is_one_of(name, "waitany", "waitsome", "testany", "testsome", "testall"))
        return Role::kLooksThrough;
    if (is_one_of(name, "comm_create", "comm_create_group", "comm_create_from_group", "comm_dup",
                  "comm_dup_with_info", "comm_split", "comm_split_type", "cart_create", "cart_sub",
                  "graph_create", "dist_graph_create", "dist_graph_create_adjacent",
                  "intercomm_create", "intercomm_create_from_groups", "intercomm_merge",
                  "comm_accept", "comm_connect", "file_open", "win_create", "win_create_dynamic",
                  "win_allocate", "win_allocate_shared"))
        return Role::kAgrees;
    return Role::kOther;
}

/// Of a call that starts persistent requests: what it sends is synchronous only if the program
/// makes such requests.
CallClass class_of_persistent();

/// See NeededMessages.
std::size_t needed(std::uint32_t* calls, std::size_t room);

/// See VainPolls.
std::size_t vain_polls();

/// See WaitsForMessages.
bool waits_for_messages();

namespace detail {
/// The present call has started these.
void note_started(const Requests& requests);
void note_synchronous();
/// What the program's present call does.
struct Present {
    Requests awaited{};
    std::size_t looked_through = 0;  ///< Requests.
    std::size_t own_steps = 0;       ///< Polls in which the library may go on by itself.
    bool sends_or_receives = false;
    bool needs_own = false;  ///< All messages that it has started itself so far.
};
extern constinit Present present;
}  // namespace detail

/// A call of a function with this role, while it lasts. `arguments` are those of MPI; of calls that
/// the MPI library makes of itself nothing is noted.
template <Role kRole, Language kLanguage>
class Call {
   public:
    Call(const CallScope& scope, const Word* arguments) : x_counts(scope.is_outermost()) {
        if (!x_counts) return;
        x_requests = requests_of(arguments);
        if constexpr (kWaits) detail::present.awaited = x_requests;
        if constexpr (kRole == Role::kLooksThrough)
            detail::present.looked_through = x_requests.count;
    }
    /// The library has returned `result`: in Fortran nothing that means anything.
    void end(std::intptr_t result) const {
        if (!x_counts) return;
        if constexpr (kWaits || kRole == Role::kLooksThrough) {
            detail::present = {};
            return;
        }
        if (has_failed(result, kLanguage)) return;
        if constexpr (kRole == Role::kMakesSynchronous)
            detail::note_synchronous();
        else
            detail::note_started(x_requests);
    }

   private:
    static constexpr bool kWaits = kRole == Role::kWaitsForOne || kRole == Role::kWaitsForAll;

    static Requests requests_of(const Word* arguments) {
        if constexpr (kRole == Role::kMakesSynchronous) return {};
        if constexpr (kRole == Role::kStartsMessage) return Requests::one(arguments[6], kLanguage);
        if constexpr (kRole == Role::kWaitsForOne || kRole == Role::kStartsOne)
            return Requests::one(arguments[0], kLanguage);
        return Requests::array(arguments, kLanguage);
    }

    const bool x_counts;
    Requests x_requests;
};

/// Of a function that is the same in each of its calls.
template <Role kRole, Language kLanguage>
    requires(kRole == Role::kSendsOrReceives || kRole == Role::kExchangesAll ||
             kRole == Role::kAgrees)
class Call<kRole, kLanguage> {
   public:
    Call(const CallScope& scope, const Word*)
        : x_counts(scope.is_outermost() &&
                   (kRole != Role::kExchangesAll || exchanges_in_rounds())) {
        if (x_counts) detail::present = kPresent;
    }
    // The call may be answered without the library.
    ~Call() {
        if (x_counts) detail::present = {};
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    void end(std::intptr_t) const {}

   private:
    /// Open MPI takes one in each poll, also while receives are on their way. In random programs 4
    /// were too few; with 8 and more all results were the same.
    static constexpr std::size_t kStepsOfAgreement = 24;
    static constexpr detail::Present kPresent{
        .own_steps = kRole == Role::kAgrees ? kStepsOfAgreement : 0,
        .sends_or_receives = kRole == Role::kSendsOrReceives,
        .needs_own = kRole != Role::kAgrees,
    };

    const bool x_counts;
};

template <Language kLanguage>
class Call<Role::kOther, kLanguage> {
   public:
    Call(const CallScope&, const Word*) {}
    void end(std::intptr_t) const {}
};

}  // namespace kumi::mpi::message_requests
