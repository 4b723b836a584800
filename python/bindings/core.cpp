// The module kumihimo._core.

#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_network(nb::module_& module);
void bind_matching(nb::module_& module);
void bind_run(nb::module_& module);
void bind_launch(nb::module_& module);
void bind_calibration(nb::module_& module);
void bind_replay(nb::module_& module);
void bind_schedule(nb::module_& module);
void bind_random(nb::module_& module);
void bind_channel(nb::module_& module);

NB_MODULE(_core, module) {
    module.doc() =
        "The simulation's core: networks, runs in virtual time, their processes, and schedules.";
    bind_network(module);
    bind_matching(module);
    bind_run(module);
    bind_launch(module);
    bind_calibration(module);
    bind_schedule(module);
    bind_replay(module);
    bind_random(module);
    bind_channel(module);
}
