#include "conductor/port/hint_port.hpp"

#include <algorithm>

#include "conductor/port/call_log_port.hpp"

namespace kumi::conductor {

void HintPort::note_hint(endpoint::service::Hint hint) {
    if (!in_virtual_time()) return;
    if (hint.key == endpoint::service::HintKey::kEager)
        x_slot->eager_limit_bytes =
            std::max(configuration().endpoint.eager_limit_bytes, hint.size_bytes());
    if (hint.key == endpoint::service::HintKey::kInKernel)
        x_process.noted_hints().note_region(hint.value == 1);
    if (records_calls()) {
        const Visit visit(x_process);
        CallLogPort(x_process).log({.kind = CallStep::kHint, .tag = hint.packed()});
    }
    if (x_state->services == nullptr) return;
    {
        const RankProcess::Undisturbed undisturbed(x_process);
        if (x_slot->turn.is_away && x_process.noted_hints().add(hint)) return;
    }
    const Visit visit(x_process);
    x_process.pass_hint(hint);
}

void HintPort::note_broken_assertion(Assertion assertion, const char* function) {
    const auto number = static_cast<std::size_t>(assertion);
    ++x_slot->seldom.asserted[number].broken;
    const Visit visit(x_process);
    x_state->diagnosis.broken_by[number].add(canonical_name(function));
}

}  // namespace kumi::conductor
