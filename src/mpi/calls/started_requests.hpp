#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "mpi/real_function.hpp"

namespace kumi::mpi {

/// Requests in an array of the program's.
struct Requests {
    Word first = 0;  ///< Its address.
    std::size_t count = 0;
    std::size_t bytes = 0;  ///< Of a handle.

    /// The one at this address, if it is one.
    static Requests one(Word address, Language language) {
        return {address, address != 0 ? std::size_t{1} : 0, handle_bytes(language)};
    }
    /// Those of a call whose first argument is their number and the second their array.
    static Requests array(const Word* arguments, Language language) {
        const int count = number_of(arguments[0], language);
        return {arguments[1], count > 0 ? static_cast<std::size_t>(count) : 0,
                handle_bytes(language)};
    }
    /// A handle, as it is now.
    Word operator[](std::size_t number) const {
        Word request = 0;
        std::memcpy(&request, reinterpret_cast<const void*>(first + number * bytes), bytes);
        return request;
    }

   private:
    static std::size_t handle_bytes(Language language) {
        return language == Language::kC ? known_abi().handle_bytes() : sizeof(std::uint32_t);
    }
};

/// What is known of a request of the program's that stands for a receive or a send.
struct StartedRequest {
    Word request = 0;
    std::uint32_t call = 0;      ///< The MPI call that has started it; 0: nothing is known.
    std::uint32_t together = 0;  ///< How many that call has started.
};

/// Which calls have started requests: a hash table that grows with the number of requests that the
/// MPI library has in use at once. Requests that have ended stay until the library uses them again:
/// their messages are not under way any more.
///
/// Memory is taken only by programs with many requests. Where there is none, or where more requests
/// are in use than `kMostPlaces` has room for, older ones are forgotten.
class StartedRequests {
   public:
    static constexpr std::size_t kFewestPlaces = 1024;
    static constexpr std::size_t kMostPlaces = std::size_t{1} << 22;

    constexpr StartedRequests() = default;
    StartedRequests(const StartedRequests&) = delete;
    StartedRequests& operator=(const StartedRequests&) = delete;

    void note(const StartedRequest& started) {
        StartedRequest* place = &place_of(started.request);
        if (place->call == 0 && ++x_used > x_count / 2 && grow())
            place = &place_of(started.request);
        *place = started;
    }
    /// Of a request of which nothing is known, `call` is 0.
    StartedRequest find(Word request) {
        const StartedRequest& found = place_of(request);
        return found.request == request ? found : StartedRequest{};
    }
    /// How many places have been looked at so far.
    std::uint64_t steps() const { return x_steps; }

   private:
    /// Where a table that cannot grow is full, a request shares a place with another.
    static constexpr int kMostProbes = 64;

    /// Four handles in a row, as MPICH gives them out, have places in one cache line.
    std::size_t home_of(Word request) const {
        constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
        const std::uint64_t mixed = (request >> 2) * kGoldenRatio >> 32;
        return (mixed << 2 | (request & 3)) & (x_count - 1);
    }
    /// The place of a request, or the free one where it belongs.
    StartedRequest& place_of(Word request) {
        std::size_t at = home_of(request);
        for (int probes = 0; probes < kMostProbes; ++probes, at = (at + 1) & (x_count - 1)) {
            ++x_steps;
            if (x_places[at].call == 0 || x_places[at].request == request) return x_places[at];
        }
        return x_places[home_of(request)];
    }
    bool grow() {
        if (x_count == kMostPlaces) return false;
        void* memory = std::calloc(2 * x_count, sizeof(StartedRequest));
        if (memory == nullptr) return false;
        StartedRequest* const before = x_places;
        const std::size_t count = x_count;
        x_places = static_cast<StartedRequest*>(memory);
        x_count *= 2;
        for (std::size_t at = 0; at < count; ++at)
            if (before[at].call != 0) place_of(before[at].request) = before[at];
        if (before != x_few) std::free(before);
        return true;
    }

    StartedRequest x_few[kFewestPlaces] = {};
    StartedRequest* x_places = x_few;
    std::size_t x_count = kFewestPlaces;
    std::size_t x_used = 0;
    std::uint64_t x_steps = 0;
};

}  // namespace kumi::mpi
