// Random numbers for what Python decides: the same streams as the core's.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "base/random/random_stream.hpp"

namespace nb = nanobind;

namespace {

std::vector<std::uint64_t> shuffled(std::uint64_t count, std::uint64_t seed,
                                    const std::string& name) {
    std::vector<std::uint64_t> order(count);
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    kumi::RandomStreams(seed, name).stream().shuffle(std::span(order));
    return order;
}

}  // namespace

void bind_random(nb::module_& module) {
    module.def("shuffled", &shuffled, nb::arg("count"), nb::arg("seed"), nb::arg("name"),
               "The numbers 0 to `count` - 1 in a random order, which the run's `seed` and the\n"
               "`name` of the random stream decide, on every computer alike.");
}
