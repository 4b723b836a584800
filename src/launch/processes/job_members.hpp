#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace kumi::launch {

/// The environment variable that marks every process of a job. Whatever a rank starts inherits it,
/// and so is found even after it has left the process group or lost its parent.
inline constexpr const char* kJobVariable = "KUMI_JOB";

/// Processes, the caller excepted, whose environment has KUMI_JOB=`name`. Finished processes that
/// have not been waited for are not among them. Reads /proc: some 10 µs per process there.
std::vector<pid_t> find_job_members(const std::string& name);

/// Kills every member of job `name` until none is left, and waits for those that are the caller's
/// children. False if some cannot be killed within five seconds.
bool kill_job_members(const std::string& name);

}  // namespace kumi::launch
