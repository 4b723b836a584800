#include "conductor/process/rank_process.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "conductor/baton/baton.hpp"
#include "conductor/delivery/services.hpp"
#include "conductor/segment/segment.hpp"
#include "conductor/system/process_memory.hpp"

namespace kumi::conductor {
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

RankProcess* RankProcess::attach() {
    static RankProcess* const process = []() -> RankProcess* {
        ConductorState* state = attach_once();
        if (state == nullptr) return nullptr;
        const auto rank = rank_from_environment(state->rank_count());
        if (!rank) return nullptr;
        auto* made = new RankProcess(state, *rank);
        if (made->claim()) return made;
        delete made;
        return nullptr;
    }();
    return process != nullptr && process->x_pid == ::getpid() ? process : nullptr;
}

RankProcess::RankProcess(ConductorState* state, std::uint32_t rank)
    : RankAccess(state, rank), x_pid(::getpid()), x_computing(*state, *x_slot) {}

bool RankProcess::claim() {
    std::int32_t other = 0;
    if (!x_slot->facts.pid.compare_exchange_strong(other, x_pid)) {
        if (other == x_pid) return true;  // by the process's other library
        // A program may have looked at the network and ended before the one that stays came.
        const bool is_gone = x_slot->status.load() <= RankStatus::kStarting &&
                             ::kill(other, 0) != 0 && errno == ESRCH;
        if (!is_gone || !x_slot->facts.pid.compare_exchange_strong(other, x_pid)) {
            std::fprintf(stderr,
                         "kumihimo: process %d cannot be rank %u: process %d is; does the program "
                         "start its own MPI processes (mpiexec)?\n",
                         x_pid, x_rank, other);
            return false;
        }
        x_slot->facts.exit_code.store(-1);
    }
    allow_access_by_others();
    if (!can_reach_processes(*x_state)) x_state->can_reach_memory.store(false);
    const Cores& cores = x_state->scheduling.cores;
    x_slot->turn.core = cores.first_of(x_rank);
    cores.move(x_pid, 0, x_slot->turn.core);
    RankStatus absent = RankStatus::kAbsent;
    if (x_slot->status.compare_exchange_strong(absent, RankStatus::kStarting))
        x_state->counts.attached.fetch_add(1);
    return true;
}

void RankProcess::note_exit(int code) {
    // A child of the rank has its memory, but is another process.
    if (::getpid() == x_pid) x_slot->facts.exit_code.store(code & 0xff);
}

void RankProcess::pass_hint(endpoint::service::Hint hint) {
    if (put_off({.kind = StreamOperation::Kind::kHint, .number = hint.packed()})) return;
    take_hint(*x_state, x_rank, hint);
}

void RankProcess::come_back() {
    if (x_slot->turn.is_away) kumi::conductor::come_back(*x_state, x_rank);
    if (x_noted_hints.empty()) return;
    x_noted_hints.pass_all([this](endpoint::service::Hint hint) { pass_hint(hint); });
}

// What a visit takes is not the rank's computing. Inside of an MPI call there is none.

void RankProcess::begin_visit() {
    if (x_slot->call_class != CallClass::kLocal) return come_back();
    const Computing::Pause pause(x_computing);
    x_computing.hide_cpu();
    x_computing.forecast().pause();
    x_handovers_at_visit = x_slot->totals.handovers;
    come_back();
}

void RankProcess::end_visit() {
    if (x_slot->call_class != CallClass::kLocal) {
        // Once it is in step it keeps the baton for the rest of its call, see ClockPort.
        if (!is_synchronised()) go_away(*x_state, x_rank, /*for_long=*/false);
        return;
    }
    {
        const Computing::Pause pause(x_computing);
        x_computing.show_work();
        // If it has waited for its turn, others may go on in parallel from here on.
        const bool has_waited = x_slot->totals.handovers != x_handovers_at_visit;
        go_away(*x_state, x_rank, has_waited && x_slot->turn.is_away_for_long);
        x_computing.forecast().resume();
    }
    x_computing.show_cpu();
}

}  // namespace kumi::conductor
