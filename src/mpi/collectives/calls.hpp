#pragma once

#include <cstdint>

#include "mpi/collectives/kind.hpp"
#include "mpi/real_function.hpp"

/// Collective calls of the program that are carried out by schedules, if the run is so. The others
/// go to the MPI library, and it is counted why.
namespace kumi::mpi::collectives {

/// At the end of MPI_Init, before virtual time begins: makes for MPI_COMM_WORLD what takes time.
void prepare();
/// Virtual time has begun.
void begin();
/// Virtual time has ended.
void end();

namespace detail {
/// Whether calls may be scheduled.
extern constinit bool is_on;

/// Carries a call out, unless it is one for the MPI library.
Outcome carry_out(Kind kind, const Word* arguments, const Form& form);
/// The call, of which `carry_out` said what became, ends.
void note_end(const Outcome& outcome);
}  // namespace detail

/// A call of a function of that kind, while it lasts. `arguments` are those of MPI. Of calls that
/// the MPI library makes of itself nothing is noted.
template <Kind kKind, Language kLanguage, bool kIsLargeCount>
class Call {
   public:
    Call(bool is_outermost, const Word* arguments) {
        if (__builtin_expect(!detail::is_on, 1) || !is_outermost) return;
        x_counts = true;
        x_outcome = detail::carry_out(kKind, arguments, {kLanguage, kIsLargeCount});
    }
    ~Call() {
        if (x_counts) detail::note_end(x_outcome);
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    /// Whether it was carried out, and the MPI library is not to be called.
    bool is_answered() const { return x_counts && x_outcome.choice == kScheduled; }
    std::intptr_t result() const { return x_outcome.error; }

   private:
    bool x_counts = false;
    Outcome x_outcome;
};

template <Language kLanguage, bool kIsLargeCount>
class Call<Kind::kNone, kLanguage, kIsLargeCount> {
   public:
    Call(bool, const Word*) {}
    bool is_answered() const { return false; }
    std::intptr_t result() const { return 0; }
};

}  // namespace kumi::mpi::collectives
