#include <charconv>
#include <cstdlib>
#include <cstring>

#include "mpi/clocks/program_time.hpp"

namespace kumi::mpi {
namespace {

std::int64_t wanted_ns() {
    const char* wanted = std::getenv("KUMI_START_DATE");
    if (wanted == nullptr) return kFirstRealtime_ns;
    std::int64_t seconds = 0;
    const char* end = wanted + std::strlen(wanted);
    const auto [rest, error] = std::from_chars(wanted, end, seconds);
    // Between 2000 and 2242, as `kumihimo run` checks.
    const bool is_date = error == std::errc{} && rest == end && wanted != end &&
                         seconds >= kFirstRealtime_ns / kSecond_ns && seconds < 8'589'934'592;
    return is_date ? seconds * kSecond_ns - kJoined_ns : kFirstRealtime_ns;
}

}  // namespace

std::int64_t realtime_at_start_ns() {
    static const std::int64_t at_start_ns = wanted_ns();
    return at_start_ns;
}

}  // namespace kumi::mpi
