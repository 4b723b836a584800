#include "mpi/real_function.hpp"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "mpi/code/library_names.hpp"

namespace kumi::mpi {
namespace {

constexpr int kMostLibraries = 8;

struct LoadedLibraries {
    char paths[kMostLibraries][PATH_MAX];
    int count = 0;
};

int note_library(dl_phdr_info* object, std::size_t, void* loaded_libraries) {
    auto* loaded = static_cast<LoadedLibraries*>(loaded_libraries);
    const char* path = object->dlpi_name;
    if (loaded->count < kMostLibraries && std::strlen(path) < PATH_MAX &&
        is_mpi_binding(file_name(path)))
        std::strcpy(loaded->paths[loaded->count++], path);
    return 0;
}

/// Calls `visit(path, handle)` for each loaded MPI library, in the order of loading, until it
/// returns true. Libraries are asked one by one because mpi4py and others load theirs RTLD_LOCAL,
/// where a global search (RTLD_NEXT) finds nothing.
template <class Visit>
void for_each_library(Visit visit) {
    LoadedLibraries loaded;
    dl_iterate_phdr(note_library, &loaded);
    for (int i = 0; i < loaded.count; ++i) {
        void* handle = dlopen(loaded.paths[i], RTLD_LAZY | RTLD_NOLOAD);
        if (handle == nullptr) continue;
        const bool found = visit(loaded.paths[i], handle);
        dlclose(handle);
        if (found) return;
    }
}

/// The address of a library's variable; zero if it has none of that name. A program that refers to
/// it may hold the one copy of it (a copy relocation), which only the global scope finds.
Word variable_of(const char* name, void* library) {
    void* variable = dlsym(RTLD_DEFAULT, name);
    if (variable == nullptr) variable = dlsym(library, name);
    return reinterpret_cast<Word>(variable);
}

}  // namespace

void* RealFunction::look_up() {
    void* found = nullptr;
    for_each_library([&](const char*, void* handle) {
        found = dlsym(handle, x_name);
        return found != nullptr;
    });
    if (found == nullptr) {
        std::fprintf(stderr, "kumihimo: the loaded MPI library has no function %s\n", x_name);
        std::abort();
    }
    x_address.store(found, std::memory_order_relaxed);
    return found;
}

MpiAbi loaded_abi() {
    // MPICH's constants and handles; the others are detected below.
    MpiAbi abi{
        .thread_serialized = 2,
        .thread_multiple = 3,
        .comm_world = 0x44000000,
        .comm_null = 0x04000000,
        .comm_self = 0x44000001,
        .datatype_null = 0x0c000000,
        .info_null = 0x1c000000,
        .any_source = -2,
        .any_tag = -1,
        .no_process = -1,
        .byte = 0x4c00010d,
        .in_place = ~Word{0},
        .operations = {0x58000001, 0x58000002, 0x58000003, 0x58000004, 0x58000005, 0x58000007,
                       0x58000009, 0x58000006, 0x58000008, 0x5800000a, 0x5800000b, 0x5800000c},
        .errors_are_fatal = 0x54000000,
        .errors_abort = 0x54000003,
        .error_type = 3,
        .error_argument = 12,
        .error_port = 38,
        .error_spawn = 42,
        .error_unsupported = 44,
        .handle_mask = 0xFFFFFFFF,
        .has_large_counts = true};
    for_each_library([&](const char* path, void* handle) {
        const Word world = variable_of("ompi_mpi_comm_world", handle);
        if (world != 0) {
            abi.comm_world = world;
            abi.comm_null = variable_of("ompi_mpi_comm_null", handle);
            abi.comm_self = variable_of("ompi_mpi_comm_self", handle);
            abi.datatype_null = variable_of("ompi_mpi_datatype_null", handle);
            abi.info_null = variable_of("ompi_mpi_info_null", handle);
            abi.any_source = -1;
            abi.no_process = -2;
            abi.byte = variable_of("ompi_mpi_byte", handle);
            abi.in_place = 1;
            constexpr std::array kOperations{
                "ompi_mpi_op_max",  "ompi_mpi_op_min",  "ompi_mpi_op_sum",    "ompi_mpi_op_prod",
                "ompi_mpi_op_land", "ompi_mpi_op_lor",  "ompi_mpi_op_lxor",   "ompi_mpi_op_band",
                "ompi_mpi_op_bor",  "ompi_mpi_op_bxor", "ompi_mpi_op_minloc", "ompi_mpi_op_maxloc"};
            for (std::size_t i = 0; i < kOperations.size(); ++i)
                abi.operations[i] = variable_of(kOperations[i], handle);
            abi.has_large_counts = false;
            abi.errors_are_fatal = variable_of("ompi_mpi_errors_are_fatal", handle);
            abi.errors_abort = variable_of("ompi_mpi_errors_abort", handle);
            abi.error_argument = 13;
            abi.error_port = 43;
            abi.error_spawn = 50;
            abi.error_unsupported = 52;
            abi.handle_mask = ~Word{0};
            return true;
        }
        if (is_standard_abi(file_name(path)))
            abi = {.thread_serialized = 2048,
                   .thread_multiple = 4096,
                   .comm_world = 0x101,
                   .comm_null = 0x100,
                   .comm_self = 0x102,
                   .datatype_null = 0x200,
                   .info_null = 0x130,
                   .any_source = -1,
                   .any_tag = -2,
                   .no_process = -3,
                   .byte = 0x247,
                   .in_place = 1,
                   .operations = {0x23, 0x22, 0x21, 0x24, 0x30, 0x31, 0x32, 0x28, 0x29, 0x2a, 0x38,
                                  0x39},
                   .errors_are_fatal = 0x141,
                   .errors_abort = 0x142,
                   .error_type = 3,
                   .error_argument = 13,
                   .error_port = 43,
                   .error_spawn = 53,
                   .error_unsupported = 55,
                   .handle_mask = ~Word{0},
                   .has_large_counts = true};
        return true;
    });
    return abi;
}

const MpiAbi& known_abi() {
    static const MpiAbi known = loaded_abi();
    return known;
}

Word library_variable(const char* name) {
    Word found = 0;
    for_each_library([&](const char*, void* handle) {
        found = variable_of(name, handle);
        return found != 0;
    });
    return found;
}

}  // namespace kumi::mpi
