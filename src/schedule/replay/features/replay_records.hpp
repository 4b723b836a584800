#pragma once

#include <cstdint>
#include <vector>

#include "conductor/records/recorder.hpp"
#include "schedule/replay/data/replay_types.hpp"

namespace kumi::schedule {

/// Writes down what ranks of a replay do and which messages arrive, in the format of a run's
/// records. Stretches of a rank in one state that follow each other become one record, but for
/// waits and sleeps: what takes no time ends a wait, too.
class ReplayRecords {
   public:
    /// Throws std::invalid_argument if there is no such directory.
    ReplayRecords(Arena& arena, std::uint32_t ranks, const std::string& directory,
                  bool has_services);

    /// The rank was in `state` in [begin, end), not before anything noted so far; it waited since.
    /// Throws std::system_error if records cannot be written, as the others do.
    void note_state(std::uint32_t rank, Instant begin, Instant end, conductor::RankState state);
    /// A message that has arrived, traffic, or memory of a service.
    template <class Record>
    void note(const Record& record) {
        if (!x_recorder->add(record)) fail();
    }
    /// To be called once, with the last end of each rank's operations.
    void close(const std::vector<Instant>& finishes);

   private:
    struct Stretch {
        Instant begin{};
        Instant end{};
        conductor::RankState state = conductor::RankState::kCompute;
    };

    [[noreturn]] static void fail();
    void write(std::uint32_t rank, const Stretch& stretch);

    conductor::Recorder* x_recorder;
    std::vector<Stretch> x_last;  ///< Of each rank; not written yet.
};

}  // namespace kumi::schedule
