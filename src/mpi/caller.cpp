#include "mpi/caller.hpp"

#include <dlfcn.h>
#include <link.h>

#include "mpi/library_names.hpp"

namespace kumi::mpi {

bool is_implementation_code(const void* return_address) {
    // This search takes no lock and knows every object that is loaded just now, so that there is no
    // table of our own that could grow stale when plug-ins come and go.
    dl_find_object found{};
    if (_dl_find_object(const_cast<void*>(return_address), &found) != 0) return false;
    return is_implementation(file_name(found.dlfo_link_map->l_name));
}

}  // namespace kumi::mpi
