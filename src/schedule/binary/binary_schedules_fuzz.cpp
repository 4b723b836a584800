#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "schedule/binary/binary_format.hpp"
#include "schedule/binary/binary_schedules.hpp"
#include "schedule/schedule_builder.hpp"

// Any bytes are refused with a place in them, or are a schedule that survives being written. The
// header is put in front, so that no time is lost with finding it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes(kumi::schedule::kBinaryMagic.begin(), kumi::schedule::kBinaryMagic.end());
    bytes.append(reinterpret_cast<const char*>(&kumi::schedule::kBinaryVersion),
                 sizeof kumi::schedule::kBinaryVersion);
    bytes.append(reinterpret_cast<const char*>(data), size);
    std::istringstream input(bytes);
    try {
        const kumi::schedule::Schedule schedule = kumi::schedule::read_binary(input);
        std::stringstream copy;
        kumi::schedule::write_binary(schedule, copy);
        if (kumi::schedule::read_binary(copy) != schedule) std::abort();
    } catch (const kumi::schedule::ScheduleError& error) {
        if (std::string(error.what()).rfind("byte ", 0) != 0) std::abort();
    }
    return 0;
}
