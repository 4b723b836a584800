#include "mpi/collectives/calls.hpp"

#include "mpi/collectives/group_plan.hpp"
#include "mpi/datatype.hpp"
#include "mpi/run_link.hpp"
#include "mpi/wake/communicator.hpp"

namespace kumi::mpi::collectives {

namespace detail {
constinit bool is_on = false;
}

namespace {

/// Whether a call of the program's Fortran says MPI_IN_PLACE: the address of a variable.
bool is_in_place_of_fortran(Word address) {
    // The compilers' spellings of one name.
    static const Word places[] = {
        library_variable("mpi_fortran_in_place"), library_variable("mpi_fortran_in_place_"),
        library_variable("mpi_fortran_in_place__"), library_variable("MPI_FORTRAN_IN_PLACE")};
    for (const Word place : places)
        if (place != 0 && address == place) return true;
    return false;
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
    Alltoall call{.send = arguments[0],
                  .send_count = 0,
                  .send_type = known_abi().datatype_null,
                  .receive = arguments[3],
                  .receive_count = count_of(arguments[4], form),
                  .receive_type = datatype_of(arguments[5], form),
                  .communicator = communicator_of(arguments[6], form)};
    if (form.language == Language::kFortran && is_in_place_of_fortran(call.send))
        call.send = known_abi().in_place;
    if (call.send == known_abi().in_place) return call;
    call.send_count = count_of(arguments[1], form);
    call.send_type = datatype_of(arguments[2], form);
    return call;
}

void detail::note_end(const Outcome& outcome) {
    run_link::note_collective(outcome.function, outcome.choice, /*begins=*/false);
}

void detail::set_error(Word address, int error) {
    if (address != 0) *reinterpret_cast<int*>(address) = error;
}

}  // namespace kumi::mpi::collectives
