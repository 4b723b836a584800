#include "schedule/replay/features/replay_records.hpp"

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace kumi::schedule {

void ReplayRecords::fail() {
    throw std::system_error(errno, std::generic_category(), "writing the records of the replay");
}

ReplayRecords::ReplayRecords(Arena& arena, std::uint32_t ranks, const std::string& directory,
                             bool has_services)
    : x_recorder(arena.make<conductor::Recorder>(
          &arena, conductor::Detail::kFull, conductor::RecordExtras{.services = has_services})),
      x_last(ranks) {
    const std::string path = std::filesystem::absolute(directory).string();
    if (path.size() >= conductor::Recorder::kPathBytes) {
        throw std::invalid_argument("the path of the records is too long: " + path);
    }
    if (!std::filesystem::is_directory(path)) {
        throw std::invalid_argument("the records have no directory: " + path + " is none");
    }
    x_recorder->set_directory(path.c_str());
}

void ReplayRecords::write(std::uint32_t rank, const Stretch& stretch) {
    if (stretch.begin == stretch.end) return;
    note(conductor::StateRecord{
        stretch.begin.ps, stretch.end.ps, rank, static_cast<std::uint8_t>(stretch.state), {}});
}

void ReplayRecords::note_state(std::uint32_t rank, Instant begin, Instant end,
                               conductor::RankState state) {
    Stretch& last = x_last[rank];
    const bool sleeps = state == conductor::RankState::kSleep;
    if (last.end == begin && (begin == end || (last.state == state && !sleeps))) {
        last.end = end;
        return;
    }
    write(rank, last);
    write(rank, {last.end, begin, conductor::RankState::kWait});
    last = {begin, end, state};
}

void ReplayRecords::close(const std::vector<Instant>& finishes) {
    for (std::uint32_t rank = 0; rank < x_last.size(); ++rank) {
        Stretch& last = x_last[rank];
        write(rank, last);
        write(rank, {last.end, later(last.end, finishes[rank]), conductor::RankState::kWait});
        last = {};
    }
    if (!x_recorder->flush()) fail();
}

}  // namespace kumi::schedule
