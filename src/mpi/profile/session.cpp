#include "mpi/profile/session.hpp"

#include <utility>

#include "mpi/profile/place_numbers.hpp"
#include "mpi/real_function.hpp"
#include "mpi/run_link.hpp"

namespace kumi::mpi::profile {

constinit bool detail::is_profiling = false;

namespace {

struct Session {
    PlaceNumbers places;
    std::uint32_t members = 0;  ///< Of the communicator that the present call names; 0 if none.
};

constinit MpiFunction<int(Word, int*)> size_in_c{"PMPI_Comm_size"};
constinit MpiFunction<void(Word, int*, int*)> size_in_fortran{"pmpi_comm_size_"};

// Never destroyed: other threads may still call while the process ends.
constinit Session* session = nullptr;

}  // namespace

void begin() {
    if (!run_link::profiles_calls()) return;
    session = new Session;
    detail::is_profiling = true;
}

void detail::call_names(Word communicator, Language language) {
    int size = 0;
    if (language == Language::kFortran) {
        int error = 0;
        size_in_fortran(communicator, &size, &error);
    } else {
        size_in_c(communicator, &size);
    }
    session->members = static_cast<std::uint32_t>(size);
}

void detail::call_ended(const void* caller, const CallName& function, bool only_asks) {
    const std::uint32_t place = session->places.number_of(caller, function, run_link::add_profiled);
    run_link::sum_call(place, std::exchange(session->members, 0), only_asks);
}

}  // namespace kumi::mpi::profile
