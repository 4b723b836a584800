#include "mpi/profile/site_numbers.hpp"

#include <map>
#include <utility>

#include "mpi/code/code_places.hpp"
#include "mpi/run_link.hpp"

namespace kumi::mpi::site_numbers {

constinit bool detail::is_noting = false;

namespace {

/// Where a call returns to, and its function, which the address of the name distinguishes.
using Call = std::pair<const void*, const CallName*>;
using Numbers = std::map<Call, std::uint16_t>;

// Never destroyed: other threads may still call while the process ends.
constinit Numbers* numbers = nullptr;
// Programs call in loops.
constinit Call last{};
constinit std::uint16_t last_number = 0;

}  // namespace

void begin() {
    if (!run_link::distinguishes_sites()) return;
    numbers = new Numbers;
    detail::is_noting = true;
}

void detail::call_began(const void* caller, const CallName& function) {
    const Call call{caller, &function};
    if (call != last) {
        const auto [found, is_new] = numbers->try_emplace(call, std::uint16_t{0});
        if (is_new) {
            // At once: the library that calls may be gone when the program ends.
            const CodePlace place = place_on_disk(caller);
            found->second = run_link::add_site(function, place.module, place.offset);
        }
        last = call;
        last_number = found->second;
    }
    run_link::set_site(last_number);
}

}  // namespace kumi::mpi::site_numbers
