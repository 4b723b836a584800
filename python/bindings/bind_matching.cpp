// kumihimo._core.search_ps: what a search costs on a platform.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "configuration.hpp"

namespace nb = nanobind;

namespace {

std::int64_t search_ps(const nb::dict& config, const std::string& queue, std::uint64_t searched) {
    const kumi::matching::CostModel cost = matching_cost(config);
    if (queue == "posted") return cost.posted.of(searched).ps;
    if (queue == "unexpected") return cost.unexpected.of(searched).ps;
    throw std::invalid_argument("queue must be \"posted\" or \"unexpected\", not \"" + queue +
                                "\"");
}

}  // namespace

void bind_matching(nb::module_& module) {
    module.def(
        "search_ps", &search_ps, nb::arg("config"), nb::arg("queue"), nb::arg("searched"),
        "The time in ps of a search in the \"posted\" or the \"unexpected\" queue that looks\n"
        "at `searched` entries, on a platform of this configuration.\n"
        "\n"
        "Raises ValueError if a key of `config` is missing or impossible, or for another\n"
        "queue.");
}
