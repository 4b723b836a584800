#include "endpoint_parameters.hpp"

#include <nanobind/stl/string.h>

#include <stdexcept>
#include <string>

#include "configuration.hpp"
#include "service.hpp"

namespace nb = nanobind;

using namespace kumi;

namespace {

bool sends_complete_delivered(const std::string& name) {
    if (name == "sent") return false;
    if (name == "delivered") return true;
    throw std::invalid_argument("send_completion must be \"sent\" or \"delivered\", not \"" + name +
                                "\"");
}

}  // namespace

endpoint::Parameters endpoint_parameters(const nb::dict& config) {
    endpoint::Parameters endpoint;
    endpoint.eager_limit_bytes =
        static_cast<std::uint64_t>(take_integer(config, "eager_limit_bytes"));
    endpoint.sends_complete_delivered =
        sends_complete_delivered(nb::cast<std::string>(config["send_completion"]));
    endpoint.control_bytes = static_cast<std::uint64_t>(take_integer(config, "control_bytes"));
    endpoint.send_overhead = {take_integer(config, "send_overhead_ps")};
    endpoint.receive_overhead = {take_integer(config, "receive_overhead_ps")};
    endpoint.matching = matching_cost(config);
    endpoint.matches_by_interface = matches_by_interface(config);
    if (config.contains("service"))
        endpoint.service = service_parameters(config["service"], config);
    return endpoint;
}
