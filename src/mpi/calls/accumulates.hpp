#pragma once

#include <cstdint>
#include <string_view>

#include "mpi/function_name.hpp"
#include "mpi/process/rank_process.hpp"
#include "mpi/real_function.hpp"

/// Accumulates and other atomic operations on windows. MPICH carries out those on the rank's own
/// memory piece by piece while it polls, which no message shows. For the provider, which asks by
/// base/shim_table.hpp.
namespace kumi::mpi::accumulates {

struct Kind {
    bool accumulates = false;
    bool answers = false;  ///< Returns what was there before.
    /// The argument, from 0, that says of how many numbers; the next one is their datatype. Of one
    /// number, if negative.
    int count = -1;
};

/// Of the function with this name, in C or Fortran.
constexpr Kind kind_of(std::string_view name) {
    if (is_one_of(name, "accumulate", "raccumulate")) return {.accumulates = true, .count = 1};
    // The numbers to be returned: with MPI_NO_OP there may be no others.
    if (is_one_of(name, "get_accumulate", "rget_accumulate"))
        return {.accumulates = true, .answers = true, .count = 4};
    if (is_one_of(name, "fetch_and_op", "compare_and_swap"))
        return {.accumulates = true, .answers = true};
    return {};
}

/// See TakesStep.
bool takes_step();

namespace detail {
std::uint64_t size_bytes(Word count, bool is_large_count, Word datatype, Language language);
void note(std::uint64_t size_bytes, bool answers);
}  // namespace detail

/// A call of a function of this kind, while it lasts. Of calls that the MPI library makes of itself
/// nothing is noted, and nothing of those that fail: their arguments may mean nothing.
template <Kind kKind, bool kHasLargeCount, Language kLanguage>
class Call {
   public:
    explicit Call(const CallScope& scope) : x_counts(scope.is_outermost()) {}
    /// The library has returned `result`, which means nothing in Fortran; `copy()` are the
    /// arguments.
    template <class Copy>
    void end(std::intptr_t result, const Copy& copy) const {
        if constexpr (kKind.accumulates) {
            if (!x_counts || has_failed(result, kLanguage)) return;
            std::uint64_t size_bytes = 0;
            if constexpr (kKind.count >= 0) {
                const auto arguments = copy();
                size_bytes = detail::size_bytes(arguments[kKind.count], kHasLargeCount,
                                                arguments[kKind.count + 1], kLanguage);
            }
            detail::note(size_bytes, kKind.answers);
        }
    }

   private:
    const bool x_counts;
};

}  // namespace kumi::mpi::accumulates
