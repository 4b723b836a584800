#pragma once

#include <string>
#include <vector>

namespace kumi::mpi {

/// One run of the probe (testing/probe.c) as a process of its own.
struct ProbeRun {
    /// Which program: "probe_mpich", "probe_abi", "probe_openmpi" or "probe_host".
    std::string program = "probe_mpich";
    std::vector<std::string> arguments;
    /// The shim's environment, as NAME=VALUE. A rank by default.
    std::vector<std::string> environment = {"KUMI_SEGMENT=fake", "PMI_RANK=0"};
    /// The library to preload; empty for none.
    std::string shim = KUMI_SHIM;
};

struct ProbeResult {
    int exit_code = -1;      ///< 128 + signal number if a signal ended it.
    std::string output;      ///< Standard output.
    std::string complaints;  ///< Standard error.
    std::string log;         ///< The calls of the shim to the run (testing/run_link_double.cpp).
};

ProbeResult run_probe(const ProbeRun& run);
/// Expects that the probe exits with 0.
ProbeResult complete_probe(const ProbeRun& run);

}  // namespace kumi::mpi
