#include "launch/processes/mpich_files.hpp"

#include <dirent.h>
#include <unistd.h>

#include <array>
#include <cstdio>

namespace kumi::launch {

std::uint32_t mpich_world_id(std::string_view space_name) {
    std::uint32_t hash = 2'166'136'261U;
    for (char c : space_name) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619U;
    return hash;
}

void remove_mpich_shared_memory(std::string_view space_name, const std::string& directory) {
    std::array<char, 16> id;
    std::snprintf(id.data(), id.size(), "%x_", mpich_world_id(space_name));
    const std::string segments = std::string("mpich_shm_") + id.data();
    const std::string interfaces = std::string("mpich_vci_") + id.data();
    DIR* files = ::opendir(directory.c_str());
    if (files == nullptr) return;
    while (const dirent* file = ::readdir(files)) {
        const std::string_view name = file->d_name;
        if (name.starts_with(segments) || name.starts_with(interfaces)) {
            ::unlink((directory + "/" + file->d_name).c_str());
        }
    }
    ::closedir(files);
}

}  // namespace kumi::launch
