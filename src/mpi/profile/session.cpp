#include "mpi/profile/session.hpp"

#include <cstdio>
#include <string>
#include <utility>

#include "mpi/code/code_places.hpp"
#include "mpi/profile/call_sites.hpp"
#include "mpi/real_function.hpp"
#include "mpi/run_link.hpp"

namespace kumi::mpi::profile {

constinit bool detail::is_profiling = false;

namespace {

struct Session {
    CallSites sites;
    std::uint32_t members = 0;  ///< Of the communicator that the present call names; 0 if none.
};

constinit MpiFunction<int(Word, int*)> size_in_c{"PMPI_Comm_size"};
constinit MpiFunction<void(Word, int*, int*)> size_in_fortran{"pmpi_comm_size_"};

// Never destroyed: other threads may still call while the process ends.
constinit Session* session = nullptr;

const char* folder() { return path_from("KUMI_CALL_SITES"); }

}  // namespace

void begin() {
    if (folder() == nullptr || !run_link::profiles_calls()) return;
    session = new Session;
    detail::is_profiling = true;
}

void save() {
    if (!detail::is_profiling) return;
    detail::is_profiling = false;
    const std::string path = std::string(folder()) + '/' + std::to_string(run_link::rank());
    // Under its name there is the whole file or none.
    const std::string scratch = path + ".part";
    const auto write = [](std::FILE* file) { session->sites.write(file, run_link::call_sums()); };
    if (!make_file(scratch, write) || std::rename(scratch.c_str(), path.c_str()) != 0)
        std::fprintf(stderr, "kumihimo: the profile of rank %u cannot be written to %s\n",
                     run_link::rank(), path.c_str());
}

void detail::call_names(Word communicator, Language language) {
    int size = 0;
    if (language == Language::kFortran) {
        int error = 0;
        size_in_fortran(communicator, &size, &error);
    } else {
        size_in_c(communicator, &size);
    }
    session->members = static_cast<std::uint32_t>(size);
}

void detail::call_ended(const void* caller, const char* function, bool only_asks) {
    const std::uint32_t members = std::exchange(session->members, 0);
    run_link::sum_call(session->sites.note(caller, function, members), only_asks);
}

}  // namespace kumi::mpi::profile
