#include "mpi/calls/recorded_requests.hpp"

#include "conductor/port/call_log_port.hpp"

namespace kumi::mpi::recorded_requests {
namespace {

/// In StartedRequest::together, which else counts how many requests have the handle now: MPI
/// libraries give the same one to all sends that are complete at once.
constexpr std::uint32_t kPersistent = 1U << 31;

constinit StartedRequests started;

using conductor::CallStep;

void log(CallStep step, std::uint32_t call = 0) {
    run_link::call_log().log({.kind = step, .request = call});
}

}  // namespace

bool detail::are_recorded() { return in_virtual_time() && run_link::records_calls(); }

void detail::note_starts(bool are_persistent) {
    // Persistent requests may be of collective operations.
    log(are_persistent ? CallStep::kStarts : CallStep::kStartsMessage);
}

void detail::note_started(const Requests& requests, bool are_persistent) {
    const std::uint32_t call = run_link::call_number();
    for (const Word request : handles_in(requests)) {
        const std::uint32_t before = started.find(request).together & ~kPersistent;
        started.note({request, call, are_persistent ? kPersistent : before + 1});
    }
}

std::vector<Word> detail::handles_in(const Requests& requests) {
    std::vector<Word> handles(requests.count);
    for (std::size_t i = 0; i < requests.count; ++i) handles[i] = requests[i];
    return handles;
}

void detail::note_waited(const Requests& requests, const std::vector<Word>& before,
                         bool needs_all) {
    const std::vector<Word> after = handles_in(requests);
    bool is_guess = false;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const StartedRequest known = started.find(before[i]);
        const bool has_ended = after[i] != before[i];
        if (known.together == kPersistent) {
            // Whether it is active any more shows in its status only.
            needs_all ? log(CallStep::kNeeds, known.call) : log(CallStep::kNeedsSeen);
            is_guess = is_guess || !needs_all;
        } else if (has_ended && known.together > 0) {
            log(CallStep::kNeeds, known.call);
            is_guess = is_guess || !needs_all;
            started.note({before[i], known.call, known.together - 1});
        } else if (has_ended) {
            // A request of another kind: what it consists of is not known.
            log(CallStep::kNeedsSeen);
            is_guess = true;
        }
    }
    if (is_guess) log(CallStep::kGuess);
}

}  // namespace kumi::mpi::recorded_requests
