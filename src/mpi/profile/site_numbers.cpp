#include "mpi/profile/site_numbers.hpp"

#include "mpi/profile/place_numbers.hpp"
#include "mpi/run_link.hpp"

namespace kumi::mpi::site_numbers {

constinit bool detail::is_noting = false;

namespace {

// Never destroyed: other threads may still call while the process ends.
constinit PlaceNumbers* numbers = nullptr;

}  // namespace

void begin() {
    if (!run_link::distinguishes_sites()) return;
    numbers = new PlaceNumbers;
    detail::is_noting = true;
}

void detail::call_began(const void* caller, const CallName& function) {
    const std::uint32_t number = numbers->number_of(caller, function, run_link::add_site);
    run_link::set_site(static_cast<std::uint16_t>(number));
}

}  // namespace kumi::mpi::site_numbers
