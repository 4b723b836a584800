#include "mpi/testing/probe_run.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <sstream>

#include "base/testing/temporary_folder.hpp"
#include "mpi/code/code_places.hpp"

namespace kumi::mpi {
namespace {

std::string quoted(std::string text) {
    text.insert(text.begin(), '\'');
    text.push_back('\'');
    return text;
}

}  // namespace

ProbeResult run_probe(const ProbeRun& run) {
    const TemporaryFolder folder;
    std::ostringstream command;
    command << "env -u LD_PRELOAD KUMI_TEST_LOG=" << quoted(folder / "log");
    // A sanitized build insists on being loaded first; the shim must be.
    command << " ASAN_OPTIONS=verify_asan_link_order=0";
    for (const std::string& variable : run.environment) command << " " << quoted(variable);
    if (!run.shim.empty()) command << " LD_PRELOAD=" << quoted(run.shim);
    command << " " << quoted(KUMI_PROBE_FOLDER "/" + run.program);
    for (const std::string& argument : run.arguments) command << " " << quoted(argument);
    command << " > " << quoted(folder / "output") << " 2> " << quoted(folder / "complaints");
    const int status = std::system(command.str().c_str());
    ProbeResult result{
        .exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
        .output = contents_of((folder / "output").c_str()),
        .complaints = contents_of((folder / "complaints").c_str()),
        .log = contents_of((folder / "log").c_str())};
    return result;
}

ProbeResult complete_probe(const ProbeRun& run) {
    ProbeResult result = run_probe(run);
    EXPECT_EQ(result.exit_code, 0) << run.program << result.complaints;
    return result;
}

}  // namespace kumi::mpi
