#include "mpi/code/code_place.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <climits>

namespace kumi::mpi {
namespace {

std::string program_path() {
    char path[PATH_MAX];
    const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
    return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : std::string();
}

}  // namespace

CodePlace place_on_disk(const void* code) {
    const auto address = reinterpret_cast<std::uintptr_t>(code);
    dl_find_object found{};
    if (_dl_find_object(const_cast<void*>(code), &found) != 0) return {{}, address};
    const link_map& module = *found.dlfo_link_map;
    // The program itself has no name.
    return {*module.l_name == '\0' ? program_path() : std::string(module.l_name),
            address - module.l_addr};
}

}  // namespace kumi::mpi
