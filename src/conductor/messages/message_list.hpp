#pragma once

#include <cstdint>

#include "base/memory/line_pool.hpp"
#include "conductor/messages/message.hpp"

namespace kumi::conductor {

/// A doubly linked list of messages. Ranks may write anywhere, so the neighbours that a message
/// names count only if they name the message, too.
template <std::uint32_t Message::* kNext, std::uint32_t Message::* kPrevious>
struct MessageList {
    std::uint32_t first = kNoMessage;
    std::uint32_t last = kNoMessage;

    /// What a verdict says of a message where a list is broken.
    static constexpr const char* kBroken = "its neighbours in a list do not know it";

    bool empty() const { return first == kNoMessage; }

    void append(LinePool<Message>& messages, std::uint32_t index) {
        Message& message = messages.at(index);
        message.*kPrevious = last;
        message.*kNext = kNoMessage;
        (last == kNoMessage ? first : messages.at(last).*kNext) = index;
        last = index;
    }

    /// Puts it, which is not in the list, behind `place`, which is; in front if that is kNoMessage.
    /// False, and nothing has changed, if the list is broken there.
    [[nodiscard]] bool insert(LinePool<Message>& messages, std::uint32_t index,
                              std::uint32_t place) {
        std::uint32_t& to_next = place == kNoMessage ? first : messages.at(place).*kNext;
        const std::uint32_t next = to_next;
        std::uint32_t* back = link(messages, next, kPrevious, last);
        if (back == nullptr || *back != place) return false;
        messages.at(index).*kPrevious = place;
        messages.at(index).*kNext = next;
        to_next = *back = index;
        return true;
    }

    /// False, and nothing has changed, if the list is broken there.
    [[nodiscard]] bool remove(LinePool<Message>& messages, std::uint32_t index) {
        const std::uint32_t next = messages.at(index).*kNext;
        const std::uint32_t previous = messages.at(index).*kPrevious;
        std::uint32_t* to_it = link(messages, previous, kNext, first);
        std::uint32_t* back_to_it = link(messages, next, kPrevious, last);
        if (to_it == nullptr || *to_it != index) return false;
        if (back_to_it == nullptr || *back_to_it != index) return false;
        *to_it = next;
        *back_to_it = previous;
        return true;
    }

    /// Calls `look(index, message)` with each from the first on, until it says true. False if the
    /// list is broken on the way. It always ends: where each names the one before it, none comes
    /// twice.
    template <class Look>
    [[nodiscard]] bool look_through(LinePool<Message>& messages, Look&& look) const {
        std::uint32_t previous = kNoMessage;
        for (std::uint32_t index = first; index != kNoMessage;) {
            if (!messages.may_be(index)) return false;
            Message& message = messages.at(index);
            if (message.*kPrevious != previous) return false;
            if (look(index, message)) return true;
            previous = index;
            index = message.*kNext;
        }
        return true;
    }

   private:
    /// The field that names a message: that of its neighbour, or the list's `end`.
    static std::uint32_t* link(LinePool<Message>& messages, std::uint32_t neighbour,
                               std::uint32_t Message::* side, std::uint32_t& end) {
        if (neighbour == kNoMessage) return &end;
        return messages.may_be(neighbour) ? &(messages.at(neighbour).*side) : nullptr;
    }
};

/// What has arrived for a rank, as long as it has not looked at it.
using Inbox = MessageList<&Message::next, &Message::previous>;

}  // namespace kumi::conductor
