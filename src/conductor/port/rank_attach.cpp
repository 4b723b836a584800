// How a process becomes the rank that its launcher meant it to be.

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "conductor/port/rank_port.hpp"
#include "conductor/segment/segment.hpp"
#include "conductor/system/process_memory.hpp"

namespace kumi {
namespace {

/// The rank's number as its launcher gave it; nothing if this process is none.
std::optional<std::uint32_t> rank_from_environment(std::uint32_t rank_count) {
    for (const char* name : {"PMI_RANK", "OMPI_COMM_WORLD_RANK"}) {
        const char* text = std::getenv(name);
        if (text == nullptr) continue;
        char* end = nullptr;
        const unsigned long rank = std::strtoul(text, &end, 10);
        if (end != text && *end == '\0' && rank < rank_count)
            return static_cast<std::uint32_t>(rank);
    }
    return std::nullopt;
}

ConductorState* attach_once() {
    const char* path = std::getenv("KUMI_SEGMENT");
    return path == nullptr ? nullptr : Segment::attach(path);
}

/// Whether ranks may reach into each other's memory, tried on the launcher's copy of the segment.
/// KUMI_PROCESS_MEMORY=off says no, as a system that forbids it would.
bool can_reach_processes(const ConductorState& state) {
    const char* wish = std::getenv("KUMI_PROCESS_MEMORY");
    if (wish != nullptr && std::strcmp(wish, "off") == 0) return false;
    std::uint64_t magic = 0;
    return read_process(state.launcher_pid, reinterpret_cast<std::uint64_t>(&state.magic), &magic,
                        sizeof magic) &&
           magic == ConductorState::kMagic;
}

}  // namespace

RankPort* RankPort::attach() {
    static RankPort* const port = []() -> RankPort* {
        ConductorState* state = attach_once();
        if (state == nullptr) return nullptr;
        const auto rank = rank_from_environment(state->rank_count());
        if (!rank) return nullptr;
        auto* made = new RankPort(state, *rank);
        if (made->claim()) return made;
        delete made;
        return nullptr;
    }();
    return port != nullptr && port->x_process == ::getpid() ? port : nullptr;
}

RankPort::RankPort(ConductorState* state, std::uint32_t rank)
    : x_state(state), x_slot(&state->slot(rank)), x_rank(rank), x_process(::getpid()) {}

bool RankPort::claim() {
    std::int32_t other = 0;
    if (!x_slot->pid.compare_exchange_strong(other, x_process)) {
        if (other == x_process) return true;  // by the process's other library
        // A program may have looked at the network and ended before the one that stays came.
        const bool is_gone = x_slot->status.load() <= RankStatus::kStarting &&
                             ::kill(other, 0) != 0 && errno == ESRCH;
        if (!is_gone || !x_slot->pid.compare_exchange_strong(other, x_process)) {
            std::fprintf(stderr,
                         "kumihimo: process %d cannot be rank %u: process %d is; does the program "
                         "start its own MPI processes (mpiexec)?\n",
                         x_process, x_rank, other);
            return false;
        }
    }
    allow_access_by_others();
    if (!can_reach_processes(*x_state)) x_state->can_reach_memory.store(false);
    RankStatus absent = RankStatus::kAbsent;
    if (x_slot->status.compare_exchange_strong(absent, RankStatus::kStarting))
        x_state->attached.fetch_add(1);
    return true;
}

}  // namespace kumi
