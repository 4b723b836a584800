#include "mpi/receive_requests.hpp"

#include <cstring>

#include "base/needed_receives.hpp"
#include "mpi/export.hpp"

namespace kumi::mpi::receive_requests {
namespace {

/// The call that has started the receive of a request.
struct Started {
    Word request = 0;
    std::uint32_t call = 0;  ///< 0: nothing is known.
};

/// Where two requests share a place, the older one is forgotten: nothing is known of it then.
/// Requests that have ended stay: their receives are not posted any more.
constexpr int kPlaceBits = 10;
constinit Started started[1 << kPlaceBits] = {};

Started& place_of(Word request) {
    constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
    return started[(request * kGoldenRatio) >> (64 - kPlaceBits)];
}

/// What the present call waits for, in the program's memory.
constinit const std::byte* awaited = nullptr;
constinit std::size_t awaited_count = 0;
constinit Language awaited_language = Language::kC;

std::size_t request_bytes(Language language) {
    static const std::size_t in_c =
        loaded_abi().handle_mask == ~Word{0} ? sizeof(Word) : sizeof(std::uint32_t);
    return language == Language::kC ? in_c : sizeof(std::uint32_t);
}

Word request_at(const void* address, std::size_t bytes) {
    Word request = 0;
    std::memcpy(&request, address, bytes);
    return request;
}

}  // namespace

void detail::note_started(Word request, Language language) {
    const Word started_request =
        request_at(reinterpret_cast<const void*>(request), request_bytes(language));
    place_of(started_request) = {started_request, run_link::call_number()};
}

void detail::begin_wait(const void* requests, std::size_t count, Language language) {
    awaited = static_cast<const std::byte*>(requests);
    awaited_count = count;
    awaited_language = language;
}

void detail::end_wait() { awaited_count = 0; }

}  // namespace kumi::mpi::receive_requests

KUMI_EXPORT std::size_t kumi_needed_receives(std::uint32_t* calls, std::size_t room) {
    using namespace kumi::mpi::receive_requests;
    if (awaited_count == 0) return 0;
    const std::size_t bytes = request_bytes(awaited_language);
    std::size_t found = 0;
    for (std::size_t i = 0; i < awaited_count && found < room; ++i) {
        const auto request = request_at(awaited + i * bytes, bytes);
        const Started& known = place_of(request);
        const bool is_known = known.request == request && known.call != 0;
        if (is_known) calls[found++] = known.call;
    }
    return found;
}
static_assert(std::is_same_v<decltype(&kumi_needed_receives), kumi::NeededReceives>);
