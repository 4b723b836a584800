#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kumi::launch {

/// The number by which MPICH's processes of one job name what they share: the FNV-1a hash of the
/// job's key-value space.
std::uint32_t mpich_world_id(std::string_view space_name);

/// Removes the shared memory of the MPICH job with that key-value space, which MPICH removes itself
/// only when every rank ends regularly. To be called when no process of the job is left.
/// `directory` is where shared memory is mounted.
void remove_mpich_shared_memory(std::string_view space_name,
                                const std::string& directory = "/dev/shm");

}  // namespace kumi::launch
