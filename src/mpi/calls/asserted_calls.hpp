#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/shim_table.hpp"
#include "mpi/process/rank_process.hpp"
#include "mpi/real_function.hpp"

/// What the program asserts of its communicators by info objects, and the calls that receive or
/// send on such communicators, or break an assertion. Costs no virtual time.
namespace kumi::mpi::asserted_calls {

/// Where a function has its arguments, from 0; -1: it has none of that kind. The communicator's
/// place is that of mpi_functions.def.
struct Places {
    // Of functions that communicate.
    int source = -1;  ///< Of a receive or probe; its tag follows.
    int target = -1;  ///< Of a send.
    bool is_probe = false;
    // Of functions that make a communicator or change one.
    int info = -1;
    int made = -1;
    bool frees = false;  ///< The first argument is a communicator's address.

    constexpr bool matters() const { return communicates() || info >= 0 || frees; }
    constexpr bool communicates() const { return source >= 0 || target >= 0; }
};

/// Of the function with this name, in C or Fortran.
constexpr Places places_of(std::string_view name) {
    const char initial = static_cast<char>(name[4] | 0x20);
    name.remove_prefix(5);  // The rest has no capitals.
    if (name.ends_with("_c")) name.remove_suffix(2);
    // Of matched messages the communicator is not known, and partitioned ones have no wildcards.
    if (initial == 'm' && name == "recv") return {};
    if (initial == 'p' && name == "send_init") return {};
    if (name == "ecv" || name == "recv" || name == "ecv_init") return {.source = 3};
    for (const std::string_view send :
         {"end", "send", "rsend", "ssend", "bsend", "end_init", "send_init"})
        if (name == send) return {.target = 3};
    if (name == "endrecv" || name == "sendrecv") return {.source = 8, .target = 3};
    if (name == "endrecv_replace" || name == "sendrecv_replace") return {.source = 5, .target = 3};
    for (const std::string_view probe : {"robe", "probe", "mprobe"})
        if (name == probe) return {.source = 0, .is_probe = true};
    if (name == "omm_set_info") return {.info = 1};
    if (name == "omm_dup_with_info" || name == "omm_idup_with_info") return {.info = 1, .made = 2};
    if (name == "omm_split_type") return {.info = 3, .made = 4};
    if (name == "omm_create_from_group") return {.info = 2, .made = 4};
    if (name == "ist_graph_create") return {.info = 6, .made = 8};
    if (name == "ist_graph_create_adjacent") return {.info = 7, .made = 9};
    if (name == "omm_free" || name == "omm_disconnect") return {.frees = true};
    return {};
}

/// What the present call asserts of the receive that it posts next, or of the message that it sends
/// next: of one each. See shim_table.hpp.
AssertedMessage of_receive();
AssertedMessage of_send();

namespace detail {
/// Whether any communicator of the program has an assertion.
extern constinit bool are_any;

void communicates(const Places& places, Word communicator, const Word* arguments,
                  const char* function, Language language);
void ends_communication();
void makes(const Places& places, Word communicator, const Word* arguments, Language language);
void frees(Word address, Language language);
}  // namespace detail

/// A call of the function `kPlaces` is of, while it lasts. Of calls that the MPI library makes of
/// itself nothing is noted.
template <Places kPlaces, int kCommunicator, Language kLanguage, bool kMatters = kPlaces.matters()>
class Call {
   public:
    /// `copy()` are its arguments.
    template <class Copy>
    Call(const CallScope& scope, const Copy& copy, const char* function)
        : x_counts(scope.is_outermost()) {
        if (!x_counts || !detail::are_any) return;
        const auto arguments = copy();
        if constexpr (kPlaces.communicates())
            detail::communicates(kPlaces, communicator(arguments), arguments.data(), function,
                                 kLanguage);
        if constexpr (kPlaces.frees) detail::frees(arguments[0], kLanguage);
    }
    /// The library has returned `result`: in Fortran nothing that means anything.
    template <class Copy>
    void end(std::intptr_t result, const Copy& copy) const {
        if (!x_counts) return;
        if constexpr (kPlaces.communicates()) {
            if (detail::are_any) detail::ends_communication();
        }
        if constexpr (kPlaces.info >= 0) {
            if (has_failed(result, kLanguage)) return;
            const auto arguments = copy();
            detail::makes(kPlaces, communicator(arguments), arguments.data(), kLanguage);
        }
    }

   private:
    static Word communicator(std::span<const Word> arguments) {
        return kCommunicator < 0 ? 0 : arguments[kCommunicator];
    }

    const bool x_counts;
};

template <Places kPlaces, int kCommunicator, Language kLanguage>
class Call<kPlaces, kCommunicator, kLanguage, false> {
   public:
    template <class Copy>
    Call(const CallScope&, const Copy&, const char*) {}
    template <class Copy>
    void end(std::intptr_t, const Copy&) const {}
};

}  // namespace kumi::mpi::asserted_calls
