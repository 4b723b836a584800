#include "mpi/clocks/caller.hpp"

#include <dlfcn.h>
#include <link.h>

#include "mpi/code/library_names.hpp"

namespace kumi::mpi {

namespace {

/// The file name of the library that holds the code at this address; nullptr if none does.
const char* library_of(const void* return_address) {
    // This search takes no lock and knows every object that is loaded just now, so that there is no
    // table of our own that could grow stale when plug-ins come and go.
    dl_find_object found{};
    if (_dl_find_object(const_cast<void*>(return_address), &found) != 0) return nullptr;
    return file_name(found.dlfo_link_map->l_name);
}

/// Whether a library holds it for which `is_it(file name)`.
bool is_in_library(const void* return_address, bool (*is_it)(const char*)) {
    const char* library = library_of(return_address);
    return library != nullptr && is_it(library);
}

}  // namespace

bool is_implementation_code(const void* return_address) {
    return is_in_library(return_address, is_implementation);
}

bool is_counter_timing_code(const void* return_address) {
    return is_in_library(return_address, times_counter);
}

bool is_thread_runtime_code(const void* return_address) {
    return is_in_library(return_address, is_thread_runtime);
}

bool is_interpreter_code(const void* return_address) {
    const char* library = library_of(return_address);
    if (library == nullptr) return false;
    // The program itself has no name. It is the same as long as the process lives.
    if (*library != '\0') return is_interpreter(library);
    static const bool is_program = [] {
        const void* known = dlsym(RTLD_DEFAULT, "PyEval_RestoreThread");
        const char* home = known == nullptr ? nullptr : library_of(known);
        return home != nullptr && *home == '\0';
    }();
    return is_program;
}

}  // namespace kumi::mpi
