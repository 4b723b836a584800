#include "conductor/messages/message.hpp"

#include <cstring>

namespace kumi::conductor {
namespace {

/// Every bit of both reaches the whole result.
std::uint64_t mix(std::uint64_t one, std::uint64_t other) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(one) * other;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// Digits of pi: hardly a message has a word like one of them, which would hide its neighbour.
constexpr std::uint64_t kSalt[] = {0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0,
                                   0x082EFA98EC4E6C89, 0x452821E638D01377};

/// The part of a seal that its message's number has.
std::uint64_t seal_of(std::uint64_t sequence) { return mix(sequence ^ kSalt[4], kSalt[0]); }

}  // namespace

std::uint64_t Message::compute_seal() const {
    constexpr std::size_t kBegin = offsetof(Message, magic);
    constexpr std::size_t kBehindNumber = 2;
    constexpr std::size_t kWords = (offsetof(Message, seal) - kBegin) / sizeof(std::uint64_t);
    static_assert((kWords - kBehindNumber) % 4 == 1 && kBegin % sizeof(std::uint64_t) == 0);
    // Words of memory: a damaged enumeration or bool must not be read as such.
    const auto word = [this](std::size_t at) {
        std::uint64_t value = 0;
        const std::byte* begin = reinterpret_cast<const std::byte*>(this) + kBegin;
        std::memcpy(&value, begin + at * sizeof value, sizeof value);
        return value;
    };
    // Two chains, which the processor works on at the same time.
    std::uint64_t even = kSalt[0];
    std::uint64_t odd = kSalt[1];
    std::size_t at = kBehindNumber;
    for (; at + 4 <= kWords; at += 4) {
        even = mix(word(at) ^ kSalt[2], word(at + 1) ^ even);
        odd = mix(word(at + 2) ^ kSalt[3], word(at + 3) ^ odd);
    }
    // No two words are added before one of them has been multiplied: that would hide a bit that has
    // changed in both.
    return mix(even ^ word(at) ^ kSalt[0], odd ^ word(0) ^ kSalt[1]) ^ seal_of(sequence);
}

void Message::number(std::uint64_t next) {
    seal ^= seal_of(sequence) ^ seal_of(next);
    sequence = next;
}

}  // namespace kumi::conductor
