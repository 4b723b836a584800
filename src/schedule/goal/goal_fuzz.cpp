#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "schedule/goal/goal.hpp"
#include "schedule/schedule_builder.hpp"

// Any text is refused with the number of a line, or is a schedule that survives being written.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream input(std::string(reinterpret_cast<const char*>(data), size));
    try {
        const kumi::schedule::Schedule schedule = kumi::schedule::read_goal(input);
        if (schedule.ranks() > 1000) return 0;
        std::stringstream text;
        kumi::schedule::write_goal(schedule, text);
        if (kumi::schedule::read_goal(text) != schedule) std::abort();
    } catch (const kumi::schedule::ScheduleError& error) {
        if (std::string(error.what()).rfind("line ", 0) != 0) std::abort();
    }
    return 0;
}
