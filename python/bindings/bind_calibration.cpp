// What this computer costs: its speed, and its processor's operations.

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "calibration/calibration.hpp"

namespace nb = nanobind;

namespace {

nb::dict operation_costs(int repetitions) {
    std::vector<kumi::calibration::ModelLine> lines;
    {
        const nb::gil_scoped_release released;
        lines = kumi::calibration::measure_operation_costs(repetitions);
    }
    nb::dict costs;
    for (const auto& line : lines) costs[line.key.c_str()] = line.values;
    return costs;
}

}  // namespace

void bind_calibration(nb::module_& module) {
    module.def("measure_host_speed", &kumi::calibration::measure_host_speed, nb::arg("repetitions"),
               nb::call_guard<nb::gil_scoped_release>(),
               "This host's speed in flop/s of one core: the median of `repetitions` measurements\n"
               "of some 10 ms each.");

    module.def("measure_operation_costs", &operation_costs, nb::arg("repetitions"),
               "What operations of this host's processor cost: values by the keys of a processor\n"
               "model, in thousandths of a cycle; the least of `repetitions` measurements.");
}
