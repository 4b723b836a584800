#pragma once

#include <cstdint>

/// What the launcher and a seed say to each other: a process that is loaded once and copied for
/// each rank, instead of being loaded for each. Over a socket that keeps messages apart.
namespace kumi::inline base {

/// Names the seed's end of the socket; a process that has it in its environment is a seed.
inline constexpr const char* kSeedVariable = "KUMI_SEED_FD";

/// In a seed's environment, each of these has kSeedRoom zeros as its value, in whose place a copy
/// writes its own: so they stand where /proc shows a process's environment to others.
inline constexpr const char* kPmiVariables[] = {"PMI_FD", "PMI_RANK", "PMI_SIZE"};
inline constexpr int kSeedRoom = 10;

/// From the launcher, with the rank's PMI socket as a passed descriptor.
struct SeedRequest {
    std::uint32_t rank;
    std::uint32_t ranks;
};

/// From the seed: once when it is loaded, then for each request.
struct SeedAnswer {
    std::int32_t process;  ///< The new rank's process id; 0: ready to be asked.
    std::int32_t error;    ///< Why there is none (errno); else 0.
};

}  // namespace kumi::inline base
