#include "mpi/hints/session.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "mpi/hints/points.hpp"
#include "mpi/run_link.hpp"

namespace kumi::mpi::hint_file {

constinit bool detail::is_following = false;

namespace {

// Never destroyed: other threads may still call while the process ends.
constinit Points* points = nullptr;

const char* folder() { return path_from("KUMI_HINTS"); }

}  // namespace

void begin() {
    if (folder() == nullptr) return;
    const std::string path = std::string(folder()) + "/points";
    const std::string text = contents_of(path.c_str());
    points = new Points;
    if (text.empty() || !points->read(text, run_link::rank())) {
        std::fprintf(stderr, "kumihimo: error: rank %u cannot read the hints in %s\n",
                     run_link::rank(), path.c_str());
        std::_Exit(1);
    }
    detail::is_following = !points->empty();
}

void end() {
    if (!detail::is_following) return;
    detail::is_following = false;
    if (!points->has_missed()) return;
    const std::string path = std::string(folder()) + '/' + std::to_string(run_link::rank());
    if (!make_file(path, [](std::FILE* file) { points->write_missed(file); }))
        std::fprintf(stderr,
                     "kumihimo: the hints that rank %u did not reach cannot be written to %s\n",
                     run_link::rank(), path.c_str());
}

void detail::call_begins(const void* caller, const char* function) {
    points->begin_call(caller, function, run_link::note_hint);
}

void detail::call_ended() { points->end_call(run_link::note_hint); }

}  // namespace kumi::mpi::hint_file
