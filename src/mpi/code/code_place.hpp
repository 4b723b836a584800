#pragma once

#include <cstdint>
#include <string>

namespace kumi::mpi {

/// A place in code as it is on disk, where every rank has it alike.
struct CodePlace {
    std::string module;        ///< Path of the program or library; empty if nothing is known of it.
    std::uint64_t offset = 0;  ///< As an address of that file.
};

CodePlace place_on_disk(const void* code);

}  // namespace kumi::mpi
