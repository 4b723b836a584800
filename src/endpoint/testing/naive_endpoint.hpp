#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "matching/envelope.hpp"

namespace kumi::endpoint {

/// MPI's rules of matching, and libfabric's of buffers for several messages, as plain lists say
/// them: which message goes into which receive, where in its buffer, and how many entries of a list
/// are looked at for that.
class NaiveEndpoint {
   public:
    struct Receive {
        std::uint32_t request = 0;
        matching::Pattern pattern{};
        bool tagged = true;
        bool is_multi = false;
        std::uint64_t room_bytes = 0;
        std::uint64_t minimum_bytes = 1;
        std::uint64_t used_bytes = 0;
    };
    struct Message {
        std::uint32_t message = 0;
        matching::Envelope envelope{};
        bool tagged = true;
        std::uint64_t size_bytes = 0;
    };
    struct Match {
        std::uint32_t request = 0;
        std::uint32_t message = 0;
        std::uint64_t place_bytes = 0;  ///< In the receive's buffer.
        bool operator==(const Match&) const = default;
    };

    void post(Receive receive) {
        for (;;) {
            const std::optional<std::size_t> place = search(receive.pattern, receive.tagged);
            if (!place || !fits(receive, x_waiting[*place])) break;
            const Message message = x_waiting[*place];
            x_waiting.erase(x_waiting.begin() + static_cast<std::ptrdiff_t>(*place));
            if (!put_into(receive, message)) return;
        }
        x_posted.push_back(receive);
    }
    void arrived(const Message& message) {
        std::uint64_t& searched = searches.emplace_back(Search{true, 0}).entries;
        for (std::size_t i = 0; i < x_posted.size(); ++i) {
            Receive& receive = x_posted[i];
            if (receive.tagged != message.tagged) continue;
            ++searched;
            if (!receive.pattern.accepts(message.envelope) || !fits(receive, message)) continue;
            if (!put_into(receive, message))
                x_posted.erase(x_posted.begin() + static_cast<std::ptrdiff_t>(i));
            return;
        }
        x_waiting.push_back(message);
    }
    /// The oldest message that waits and is accepted.
    std::optional<std::uint32_t> look(const matching::Pattern& pattern, bool tagged,
                                      bool takes_out) {
        const std::optional<std::size_t> place = search(pattern, tagged);
        if (!place) return std::nullopt;
        const std::uint32_t message = x_waiting[*place].message;
        if (takes_out) x_waiting.erase(x_waiting.begin() + static_cast<std::ptrdiff_t>(*place));
        return message;
    }
    void receive_taken_out(std::uint32_t request, std::uint32_t message) {
        matches.push_back({request, message, 0});
    }
    bool cancel(std::uint32_t request) {
        return std::erase_if(x_posted, [request](const Receive& receive) {
                   return receive.request == request;
               }) > 0;
    }

    /// What one look through a queue has looked at.
    struct Search {
        bool is_posted = false;  ///< The queue of receives.
        std::uint64_t entries = 0;
    };

    std::vector<Match> matches;
    std::vector<Search> searches;

   private:
    std::optional<std::size_t> search(const matching::Pattern& pattern, bool tagged) {
        std::uint64_t& searched = searches.emplace_back(Search{false, 0}).entries;
        for (std::size_t i = 0; i < x_waiting.size(); ++i) {
            if (x_waiting[i].tagged != tagged) continue;
            ++searched;
            if (pattern.accepts(x_waiting[i].envelope)) return i;
        }
        return std::nullopt;
    }
    static bool fits(const Receive& receive, const Message& message) {
        return !receive.is_multi || message.size_bytes <= receive.room_bytes - receive.used_bytes;
    }
    /// Returns whether the receive takes more.
    bool put_into(Receive& receive, const Message& message) {
        matches.push_back({receive.request, message.message, receive.used_bytes});
        if (!receive.is_multi) return false;
        receive.used_bytes += (message.size_bytes + 15) / 16 * 16;
        return receive.used_bytes <= receive.room_bytes &&
               receive.room_bytes - receive.used_bytes >= receive.minimum_bytes;
    }

    std::vector<Receive> x_posted;
    std::vector<Message> x_waiting;
};

}  // namespace kumi::endpoint
