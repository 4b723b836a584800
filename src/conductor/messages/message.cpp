#include "conductor/messages/message.hpp"

#include <nmmintrin.h>

#include <cstring>

namespace kumi::conductor {
namespace {

// Digits of pi.
constexpr std::uint64_t kSalt[] = {0x243F6A8885A308D3, 0x13198A2E03707344};

/// The part of a seal that its message's number has: the 128 bits of a product, folded. Not a CRC,
/// in which a bit of the number and one of another word could hide each other.
std::uint64_t seal_of(std::uint64_t sequence) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(sequence ^ kSalt[0]) * kSalt[1];
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

[[gnu::target("sse4.2")]] std::uint64_t Message::compute_seal() const {
    constexpr std::size_t kBegin = offsetof(Message, magic);
    constexpr std::size_t kWords = (offsetof(Message, seal) - kBegin) / sizeof(std::uint64_t);
    constexpr std::size_t kNumber = (offsetof(Message, sequence) - kBegin) / sizeof(std::uint64_t);
    static_assert(kBegin % sizeof(std::uint64_t) == 0 && kNumber == 1);
    // Words of memory: a damaged enumeration or bool must not be read as such.
    const auto word = [this](std::size_t at) {
        std::uint64_t value = 0;
        const std::byte* begin = reinterpret_cast<const std::byte*>(this) + kBegin;
        std::memcpy(&value, begin + at * sizeof value, sizeof value);
        return value;
    };
    // CRC-32C, which the processor computes, of every other word: each finds all changes of up to
    // five bits, and bursts of up to 32. Two, since each waits for its own last result only.
    std::uint64_t even = _mm_crc32_u64(0xFFFFFFFF, word(0));
    std::uint64_t odd = 0xFFFFFFFF;
    for (std::size_t at = kNumber + 1; at < kWords; at += 2) {
        odd = _mm_crc32_u64(odd, word(at));
        if (at + 1 < kWords) even = _mm_crc32_u64(even, word(at + 1));
    }
    return (even << 32 | odd) ^ seal_of(sequence);
}

void Message::number(std::uint64_t next) {
    seal ^= seal_of(sequence) ^ seal_of(next);
    sequence = next;
}

}  // namespace kumi::conductor
