#pragma once

#include <cstddef>

#include "conductor/port/rank_port.hpp"

namespace kumi::conductor {

/// A rank's end of the conductor for what the program says about itself: hints, and assertions on
/// communicators.
class HintPort : public RankPort {
   public:
    explicit HintPort(RankProcess& process) : RankPort(process) {}

    /// The program passes a hint that is possible. Acts at its place among what the rank does. Does
    /// nothing outside virtual time.
    void note_hint(endpoint::service::Hint hint);
    /// The program passed a hint whose key is not known.
    void note_unknown_hint(const CallName& key) {
        const Visit visit(x_process);
        x_state->diagnosis.unknown_hints.add(key);
    }
    /// A call receives or sends, or both, on a communicator with these assertions.
    void note_asserted(AssertionSet assertions, bool receives, bool sends) {
        for (std::size_t i = 0; i < kAssertions; ++i) {
            if (!assertions.has(static_cast<Assertion>(i))) continue;
            x_slot->seldom.asserted[i].receives += receives ? 1 : 0;
            x_slot->seldom.asserted[i].messages += sends ? 1 : 0;
        }
    }
    /// A call of `function` breaks one, or has received what does.
    void note_broken_assertion(Assertion assertion, const char* function);
};

}  // namespace kumi::conductor
