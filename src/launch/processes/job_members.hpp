#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
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

/// The number by which MPICH's processes of one job name what they share: the FNV-1a hash of the
/// job's key-value space.
std::uint32_t mpich_world_id(std::string_view space_name);

/// Removes the shared memory of the MPICH job with that key-value space, which MPICH removes itself
/// only when every rank ends regularly. To be called when no process of the job is left.
/// `directory` is where shared memory is mounted.
void remove_mpich_shared_memory(std::string_view space_name,
                                const std::string& directory = "/dev/shm");

}  // namespace kumi::launch
