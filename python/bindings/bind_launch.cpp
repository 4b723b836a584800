// kumihimo._core.Job: the processes of a run.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/name_in.hpp"
#include "launch/processes/job.hpp"

namespace nb = nanobind;

using namespace kumi;
using namespace kumi::launch;

namespace {

/// In the order of JobEvent::Kind.
constexpr const char* kKindNames[] = {"exited",    "signalled",     "stopped", "continued",
                                      "pmi_abort", "pmi_violation", "vanished"};
/// In the order of PmiPhase.
constexpr const char* kPhaseNames[] = {"silent", "initialised", "finalised"};

/// A text as the ranks sent it, which may be no UTF-8.
nb::object text_of(const JobEvent& event) {
    return nb::steal(PyUnicode_DecodeUTF8(event.text.data(),
                                          static_cast<Py_ssize_t>(event.text.size()), "replace"));
}

std::vector<JobEvent> step(Job& job, double timeout_s) {
    constexpr double kMaxTimeoutS = 3600;
    const double bounded_s = std::clamp(timeout_s, 0.0, kMaxTimeoutS);
    const nb::gil_scoped_release released;
    return job.step(static_cast<int>(std::ceil(bounded_s * 1000)));
}

/// Raises the subclass of OSError that belongs to the error's number.
void start(Job& job) {
    try {
        job.start();
    } catch (const std::system_error& error) {
        const nb::object arguments = nb::make_tuple(error.code().value(), error.what());
        PyErr_SetObject(PyExc_OSError, arguments.ptr());
        throw nb::python_error();
    }
}

/// Arguments and environments are bytes: not every one is UTF-8.
std::vector<std::string> strings_of(const std::vector<nb::bytes>& texts) {
    std::vector<std::string> strings;
    for (const nb::bytes& text : texts) strings.emplace_back(text.c_str(), text.size());
    return strings;
}

}  // namespace

void bind_launch(nb::module_& module) {
    nb::class_<JobEvent>(module, "JobEvent", "Something that happened to a job's processes.")
        .def_prop_ro(
            "kind", [](const JobEvent& event) { return name_in(kKindNames, event.kind); },
            "exited, signalled, stopped, continued, pmi_abort, pmi_violation or vanished.")
        .def_ro("rank", &JobEvent::rank, "-1: the process that starts the ranks.")
        .def_ro("code", &JobEvent::code, "Exit code, or that of an abort.")
        .def_ro("signal", &JobEvent::signal)
        .def_ro("core_dumped", &JobEvent::core_dumped)
        .def_prop_ro("text", &text_of, "What the rank said.");

    nb::class_<Job>(module, "Job",
                    "The processes of one run: started, pinned to cores, watched, and killed at\n"
                    "the end, to the last one, also when the launcher itself is killed.")
        .def(
            "__init__",
            [](Job* place, std::uint32_t ranks, const std::vector<nb::bytes>& arguments,
               const std::vector<nb::bytes>& environment, bool starts_ranks_itself,
               bool pins_to_cores, std::size_t cores, bool fixes_addresses, bool loads_once,
               bool writes_answers_ahead,
               std::vector<std::pair<std::string, std::string>> pmi_values,
               std::vector<std::string> temporary_paths) {
                if (ranks == 0 || arguments.empty()) {
                    throw std::invalid_argument("a job needs a rank and a program");
                }
                JobOptions options;
                options.ranks = ranks;
                options.arguments = strings_of(arguments);
                options.environment = strings_of(environment);
                options.starts_ranks_itself = starts_ranks_itself;
                options.pins_to_cores = pins_to_cores;
                options.cores = cores;
                options.fixes_addresses = fixes_addresses;
                options.loads_once = loads_once;
                options.writes_answers_ahead = writes_answers_ahead;
                options.pmi_values = std::move(pmi_values);
                options.temporary_paths = std::move(temporary_paths);
                new (place) Job(std::move(options));
            },
            nb::arg("ranks"), nb::arg("arguments"), nb::arg("environment"), nb::kw_only(),
            nb::arg("starts_ranks_itself") = false, nb::arg("pins_to_cores") = true,
            nb::arg("cores") = 1, nb::arg("fixes_addresses") = true, nb::arg("loads_once") = false,
            nb::arg("writes_answers_ahead") = true,
            nb::arg("pmi_values") = std::vector<std::pair<std::string, std::string>>{},
            nb::arg("temporary_paths") = std::vector<std::string>{},
            "`arguments[0]` is a path, `environment` a list of NAME=value, both in bytes. With\n"
            "`starts_ranks_itself` one process is started (mpirun), else one per rank, served by\n"
            "PMI-1 with `pmi_values` preset. `cores` is their number for the job, 0: all that no\n"
            "other job has; on the first of these it begins. `temporary_paths` are removed if\n"
            "the launcher is killed.")
        .def("start", &start, "Starts everything. Raises OSError; then nothing is left running.")
        .def("step", &step, nb::arg("timeout_s"),
             "Serves the processes until something happens, the time is over, or a signal came.")
        .def("watch", &Job::watch, nb::arg("rank"), nb::arg("pid"),
             "Reports `vanished` for the rank when that process, started by others, ends.")
        .def("kill_all", &Job::kill_all, nb::call_guard<nb::gil_scoped_release>(),
             "Kills every process of the job and removes its shared memory. False if some could\n"
             "not be killed within five seconds.")
        .def("pid", &Job::pid, nb::arg("rank"), "0 if the rank was not started by us.")
        .def(
            "pmi_phase",
            [](const Job& job, std::uint32_t rank) {
                return name_in(kPhaseNames, job.pmi_phase(rank));
            },
            nb::arg("rank"), "silent, initialised or finalised.")
        .def_prop_ro("running", &Job::running, "Processes started by us that have not ended.")
        .def_prop_ro("name", &Job::name, "The value of KUMI_JOB in every process of the job.")
        .def_prop_ro("cores", &Job::cores,
                     "Those claimed for it, as the system numbers them; empty: not pinned.")
        .def_prop_ro("cpu_seconds", &Job::cpu_seconds,
                     "User plus system time of the processes that have ended.");
}
