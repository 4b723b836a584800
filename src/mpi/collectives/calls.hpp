#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/collective_call.hpp"
#include "mpi/profile/session.hpp"
#include "mpi/real_function.hpp"

/// Collective calls of the program that are carried out by schedules, if the run is so. The others
/// go to the MPI library, and it is counted why.
namespace kumi::mpi::collectives {

using profile::Language;

/// At the end of MPI_Init, before virtual time begins: makes for MPI_COMM_WORLD what takes time.
void prepare();
/// Virtual time has begun.
void begin();
/// Virtual time has ended.
void end();

/// Which of the functions a call may be to.
enum class Kind : std::uint8_t { kNone, kAlltoall, kBarrier };

/// Of the function with this name, in C or Fortran.
constexpr Kind kind_of(std::string_view name) {
    const std::string_view plain = name.substr(4);
    if (plain == "Alltoall" || plain == "Alltoall_c" || plain == "alltoall") return Kind::kAlltoall;
    if (plain == "Barrier" || plain == "barrier") return Kind::kBarrier;
    return Kind::kNone;
}

/// Which argument of Fortran's is the error code.
constexpr std::size_t error_of(Kind kind) { return kind == Kind::kAlltoall ? 7 : 1; }

/// How a program has called a function.
struct Form {
    Language language = Language::kC;
    bool is_large_count = false;
};

namespace detail {
/// Whether calls may be scheduled.
extern constinit bool is_on;

/// The arguments of MPI_Alltoall, as those of C.
struct Alltoall {
    Word send = 0;
    std::int64_t send_count = 0;
    Word send_type = 0;
    Word receive = 0;
    std::int64_t receive_count = 0;
    Word receive_type = 0;
    Word communicator = 0;
};
Alltoall alltoall_of(const Word* arguments, const Form& form);

/// The argument of MPI_Barrier, likewise.
struct Barrier {
    Word communicator = 0;
};
Barrier barrier_of(const Word* arguments, const Form& form);

/// What became of a call.
struct Outcome {
    CollectiveFunction function{};
    CollectiveChoice choice{};
    int error = 0;  ///< Of MPI's, if the call was scheduled.
};
/// Carries the call out, unless it is one for the MPI library.
Outcome answer(const Alltoall& call);
Outcome answer(const Barrier& call);
/// The call, of which `answer` said what became, ends.
void note_end(const Outcome& outcome);
/// Returns to Fortran.
void set_error(Word address, int error);
}  // namespace detail

/// A call of a function of that kind, while it lasts. `arguments` are those of MPI. Of calls that
/// the MPI library makes of itself nothing is noted.
template <Kind kKind, Language kLanguage, bool kIsLargeCount>
class Call {
   public:
    Call(bool is_outermost, const Word* arguments) {
        if (__builtin_expect(!detail::is_on, 1) || !is_outermost) return;
        x_counts = true;
        constexpr Form kForm{kLanguage, kIsLargeCount};
        if constexpr (kKind == Kind::kAlltoall)
            x_outcome = detail::answer(detail::alltoall_of(arguments, kForm));
        else
            x_outcome = detail::answer(detail::barrier_of(arguments, kForm));
        if (is_answered() && kLanguage == Language::kFortran)
            detail::set_error(arguments[error_of(kKind)], x_outcome.error);
    }
    ~Call() {
        if (x_counts) detail::note_end(x_outcome);
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    /// Whether it was carried out, and the MPI library is not to be called.
    bool is_answered() const {
        return x_counts && x_outcome.choice == CollectiveChoice::kScheduled;
    }
    std::intptr_t result() const { return x_outcome.error; }

   private:
    bool x_counts = false;
    detail::Outcome x_outcome;
};

template <Language kLanguage, bool kIsLargeCount>
class Call<Kind::kNone, kLanguage, kIsLargeCount> {
   public:
    Call(bool, const Word*) {}
    bool is_answered() const { return false; }
    std::intptr_t result() const { return 0; }
};

}  // namespace kumi::mpi::collectives
