#include "mpi/collectives/calls.hpp"

#include <algorithm>
#include <array>

#include "mpi/collectives/group_plan.hpp"
#include "mpi/datatype.hpp"
#include "mpi/run_link.hpp"
#include "mpi/wake/communicator.hpp"

namespace kumi::mpi::collectives {

namespace detail {
constinit bool is_on = false;
}

namespace {

/// A constant of Fortran that is the address of a variable, with the compilers' spellings of its
/// name.
class FortranConstant {
   public:
    explicit FortranConstant(const std::array<const char*, 4>& names) {
        for (std::size_t i = 0; i < names.size(); ++i) x_addresses[i] = library_variable(names[i]);
    }
    bool is(Word address) const {
        return address != 0 && std::ranges::find(x_addresses, address) != x_addresses.end();
    }

   private:
    std::array<Word, 4> x_addresses{};
};

/// The buffer of C for one of a program's Fortran.
Word buffer_of_fortran(Word address) {
    static const FortranConstant in_place({"mpi_fortran_in_place", "mpi_fortran_in_place_",
                                           "mpi_fortran_in_place__", "MPI_FORTRAN_IN_PLACE"});
    static const FortranConstant bottom({"mpi_fortran_bottom", "mpi_fortran_bottom_",
                                         "mpi_fortran_bottom__", "MPI_FORTRAN_BOTTOM"});
    if (in_place.is(address)) return known_abi().in_place;
    return bottom.is(address) ? 0 : address;
}

Word buffer_of(Word argument, const Form& form) {
    return form.language == Language::kFortran ? buffer_of_fortran(argument) : argument;
}

std::int64_t count_of(Word argument, const Form& form) {
    if (form.language == Language::kFortran) return *reinterpret_cast<const int*>(argument);
    return form.is_large_count ? static_cast<std::int64_t>(argument) : static_cast<int>(argument);
}

Word datatype_of(Word argument, const Form& form) {
    return form.language == Language::kFortran
               ? datatype_of_fortran(*reinterpret_cast<const int*>(argument))
               : datatype_of_c(argument);
}

Word communicator_of(Word argument, const Form& form) {
    return form.language == Language::kFortran
               ? wake::communicator_of_fortran(*reinterpret_cast<const int*>(argument))
               : argument & known_abi().handle_mask;
}

}  // namespace

void prepare() {
    if (run_link::schedules_collectives()) (void)plan_of(known_abi().comm_world);
}

void begin() { detail::is_on = run_link::schedules_collectives(); }

void end() {
    if (!detail::is_on) return;
    detail::is_on = false;
    forget_plan(known_abi().comm_world);
}

detail::Alltoall detail::alltoall_of(const Word* arguments, const Form& form) {
    Alltoall call{.send = buffer_of(arguments[0], form),
                  .send_count = 0,
                  .send_type = known_abi().datatype_null,
                  .receive = buffer_of(arguments[3], form),
                  .receive_count = count_of(arguments[4], form),
                  .receive_type = datatype_of(arguments[5], form),
                  .communicator = communicator_of(arguments[6], form)};
    if (call.send == known_abi().in_place) return call;
    call.send_count = count_of(arguments[1], form);
    call.send_type = datatype_of(arguments[2], form);
    return call;
}

detail::Barrier detail::barrier_of(const Word* arguments, const Form& form) {
    return {.communicator = communicator_of(arguments[0], form)};
}

void detail::note_end(const Outcome& outcome) {
    run_link::note_collective(outcome.function, outcome.choice, /*begins=*/false);
}

void detail::set_error(Word address, int error) {
    if (address != 0) *reinterpret_cast<int*>(address) = error;
}

}  // namespace kumi::mpi::collectives
