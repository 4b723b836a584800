#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "base/call_name.hpp"
#include "mpi/code/code_places.hpp"

namespace kumi::mpi {

/// Numbers of the places at which the program calls MPI.
class PlaceNumbers {
   public:
    /// The number of the place at which `function` returns to `caller`. The function's address
    /// distinguishes it. The number of a new place is what `add` returns, which gets the function,
    /// and the module and offset of the place.
    template <class Add>
    std::uint32_t number_of(const void* caller, const CallName& function, Add&& add) {
        const Call call{caller, &function};
        // Programs call in loops.
        if (call == x_last) return x_last_number;
        const auto [found, is_new] = x_numbers.try_emplace(call, 0);
        if (is_new) {
            // At once: the library that calls may be gone when the program ends.
            const CodePlace place = place_on_disk(caller);
            found->second = add(function, place.module, place.offset);
        }
        x_last = call;
        return x_last_number = found->second;
    }

   private:
    using Call = std::pair<const void*, const CallName*>;

    std::map<Call, std::uint32_t> x_numbers;
    Call x_last{};
    std::uint32_t x_last_number = 0;
};

}  // namespace kumi::mpi
