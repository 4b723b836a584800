// Every MPI function that may wait or communicate, C and Fortran. See mpi_functions.def.

#include <string_view>

#include "mpi/calls/accumulates.hpp"
#include "mpi/calls/asserted_calls.hpp"
#include "mpi/calls/message_requests.hpp"
#include "mpi/calls/recorded_requests.hpp"
#include "mpi/calls/refusal.hpp"
#include "mpi/collectives/calls.hpp"
#include "mpi/content/sent_content.hpp"
#include "mpi/export.hpp"
#include "mpi/process/rank_process.hpp"
#include "mpi/real_function.hpp"

namespace kumi::mpi {
namespace {

/// Notes the communicator of the call, if one of its arguments is one.
template <int kArgument, Language kLanguage>
[[gnu::always_inline]] inline void note_communicator(const CallScope& scope, KUMI_ARGUMENTS) {
    if constexpr (kArgument >= 0) {
        const Word words[] = {KUMI_FORWARDED};
        scope.note_communicator(words[kArgument], kLanguage);
    }
}

#ifdef KUMI_FOR_OPEN_MPI
constexpr bool kIsOpenMpi = true;
#else
constexpr bool kIsOpenMpi = false;
#endif

/// Whether the library goes on with what the function starts in several steps, of which some are no
/// messages: nonblocking operations on files, and under Open MPI communicators that are made in the
/// background.
constexpr bool goes_on_by_itself(std::string_view name) {
    const std::string_view rest = name.substr(5);
    return rest.starts_with("ile_i") || (kIsOpenMpi && rest.starts_with("omm_idup"));
}

/// MPICH agrees on communicators by messages alone.
constexpr message_requests::Role request_role_of(std::string_view name) {
    using message_requests::Role;
    const Role role = message_requests::role_of(name);
    return role == Role::kAgrees && !kIsOpenMpi ? Role::kOther : role;
}

constexpr bool has_large_counts(std::string_view name) { return name.ends_with("_c"); }

}  // namespace
}  // namespace kumi::mpi

using namespace kumi::mpi;

#define KUMI_WRAP(symbol, real_symbol, shown_name, language, call_class, communicator, datatype)   \
    KUMI_EXPORT std::intptr_t symbol(KUMI_ARGUMENTS) {                                             \
        static constinit RealFunction real{real_symbol};                                           \
        static constexpr kumi::CallName kName{shown_name};                                         \
        const CallScope scope(call_class, kName, __builtin_return_address(0));                     \
        note_communicator<communicator, Language::k##language>(scope, KUMI_FORWARDED);             \
        const Word words[] = {KUMI_FORWARDED};                                                     \
        const message_requests::Call<request_role_of(shown_name), Language::k##language> requests( \
            scope, words);                                                                         \
        const recorded_requests::Call<recorded_requests::role_of(shown_name),                      \
                                      Language::k##language>                                       \
            recorded(scope, words);                                                                \
        const auto copy = KUMI_COPIED;                                                             \
        sent_content::note_call<communicator, datatype, Language::k##language>(                    \
            scope.is_outermost(), copy, shown_name, call_class, __builtin_return_address(0));      \
        const asserted_calls::Call<asserted_calls::places_of(shown_name), communicator,            \
                                   Language::k##language>                                          \
            asserted(scope, copy, shown_name);                                                     \
        const accumulates::Call<accumulates::kind_of(shown_name), has_large_counts(shown_name),    \
                                Language::k##language>                                             \
            accumulate(scope);                                                                     \
        static constexpr bool kGoesOn = goes_on_by_itself(shown_name);                             \
        if (kGoesOn && scope.is_outermost()) run_link::poll_longer();                              \
        const collectives::Call<collectives::kind_of(shown_name), Language::k##language,           \
                                has_large_counts(shown_name)>                                      \
            collective(scope.is_outermost(), words);                                               \
        if (collective.is_answered()) return collective.result();                                  \
        const std::intptr_t result = real.as<Forwarded>()(KUMI_FORWARDED);                         \
        requests.end(result);                                                                      \
        recorded.end();                                                                            \
        asserted.end(result, copy);                                                                \
        accumulate.end(result, copy);                                                              \
        return result;                                                                             \
    }

#define KUMI_REFUSE(symbol, real_symbol, shown_name, language)                         \
    KUMI_EXPORT std::intptr_t symbol(KUMI_ARGUMENTS) {                                 \
        static constinit RealFunction real{real_symbol};                               \
        static constexpr auto kFunction = refused_function(shown_name);                \
        const Word words[] = {KUMI_FORWARDED};                                         \
        if (refuses_calls())                                                           \
            return refuse_call({shown_name}, kFunction, Language::k##language, words); \
        return real.as<Forwarded>()(KUMI_FORWARDED);                                   \
    }

// Before a request can be completed, and after it has been: the run must not see it completed when
// the rank would not.
#define KUMI_NOTE(symbol, real_symbol, before, after)                      \
    KUMI_EXPORT std::intptr_t symbol(KUMI_ARGUMENTS) {                     \
        static constinit RealFunction real{real_symbol};                   \
        const bool counts = in_virtual_time();                             \
        if (counts) before;                                                \
        const std::intptr_t result = real.as<Forwarded>()(KUMI_FORWARDED); \
        if (counts) after;                                                 \
        return result;                                                     \
    }

#define KUMI_CLASS_Local(symbol, real_symbol, shown_name, language, communicator, datatype)
#define KUMI_CLASS_Freeing(symbol, real_symbol, shown_name, language, communicator, datatype) \
    KUMI_NOTE(symbol, real_symbol, sent_content::forget_types(), (void)0)
#define KUMI_CLASS_Special(symbol, real_symbol, shown_name, language, communicator, datatype)
#define KUMI_CLASS_Blocking(symbol, real_symbol, shown_name, language, communicator, datatype) \
    KUMI_WRAP(symbol, real_symbol, shown_name, language, CallClass::kBlocking, communicator,   \
              datatype)
#define KUMI_CLASS_Background(symbol, real_symbol, shown_name, language, communicator, datatype) \
    KUMI_WRAP(symbol, real_symbol, shown_name, language, CallClass::kBackground, communicator,   \
              datatype)
#define KUMI_CLASS_Synchronous(symbol, real_symbol, shown_name, language, communicator, datatype) \
    KUMI_WRAP(symbol, real_symbol, shown_name, language, CallClass::kSynchronous, communicator,   \
              datatype)
#define KUMI_CLASS_Persistent(symbol, real_symbol, shown_name, language, communicator, datatype)  \
    KUMI_WRAP(symbol, real_symbol, shown_name, language, message_requests::class_of_persistent(), \
              communicator, datatype)
#define KUMI_CLASS_Probing(symbol, real_symbol, shown_name, language, communicator, datatype) \
    KUMI_WRAP(symbol, real_symbol, shown_name, language, CallClass::kProbe, communicator, datatype)
#define KUMI_CLASS_Polling(symbol, real_symbol, shown_name, language, communicator, datatype) \
    KUMI_WRAP(symbol, real_symbol, shown_name, language, CallClass::kPolling, communicator,   \
              datatype)
#define KUMI_CLASS_Window(symbol, real_symbol, shown_name, language, communicator, datatype) \
    KUMI_WRAP(symbol, real_symbol, shown_name, language, CallClass::kWindow, communicator, datatype)
#define KUMI_CLASS_Generalized(symbol, real_symbol, shown_name, language, communicator, datatype) \
    KUMI_NOTE(symbol, real_symbol, run_link::begin_outside(), (void)0)
#define KUMI_CLASS_Completing(symbol, real_symbol, shown_name, language, communicator, datatype) \
    KUMI_NOTE(symbol, real_symbol, (void)0, run_link::end_outside(is_rank_thread()))
#define KUMI_CLASS_Refused(symbol, real_symbol, shown_name, language, communicator, datatype) \
    KUMI_REFUSE(symbol, real_symbol, shown_name, language)

#define KUMI_MPI_C(name, call_class, communicator, datatype) \
    KUMI_CLASS_##call_class(name, "P" #name, #name, C, communicator, datatype)
#define KUMI_MPI_FORTRAN(name, call_class, communicator, datatype)                                 \
    KUMI_CLASS_##call_class(mpi_##name##_, "pmpi_" #name "_", "mpi_" #name, Fortran, communicator, \
                            datatype)
#define KUMI_MPI_F08(name, call_class, communicator, datatype)                               \
    KUMI_CLASS_##call_class(mpi_##name##_f08_, "pmpi_" #name "_f08_", "mpi_" #name, Fortran, \
                            communicator, datatype)
#ifdef KUMI_FOR_OPEN_MPI
#define KUMI_MPI_C4(name, call_class, communicator, datatype)
#else
#define KUMI_MPI_C4(name, call_class, communicator, datatype) \
    KUMI_MPI_C(name, call_class, communicator, datatype)
#endif

#include "mpi/mpi_functions.def"
