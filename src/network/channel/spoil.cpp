#include "network/channel/spoil.hpp"

#include <bit>

#include "base/check.hpp"
#include "network/channel/error_walk.hpp"

namespace kumi::network {
namespace {

/// A word's most significant bit is in its last byte.
void turn_round(std::span<std::byte> payload, const Encoding& encoding, PayloadBit at) {
    const std::uint64_t byte = (at.word + 1) * encoding.word_bytes() - 1 - at.bit / 8;
    payload[byte] ^= std::byte{0x80} >> (at.bit % 8);
}

/// One part of a payload, protected or not: visits each of its wrong bits.
template <class Visit>
std::uint64_t visit_errors(const BitLayout& layout, ErrorWalk walk, std::uint32_t bits_per_axis,
                           Visit&& visit) {
    std::uint64_t wrong = 0;
    for (AxisError error; walk.next(error);) {
        for (std::uint32_t left = error.pattern; left != 0; left &= left - 1) {
            const auto below = static_cast<std::uint32_t>(std::countr_zero(left));
            PayloadBit at;
            if (!layout.at(error.axis, bits_per_axis - below, at)) continue;
            visit(at);
            ++wrong;
        }
    }
    return wrong;
}

template <class Visit>
SpoiledBits visit_all(std::uint64_t size_bytes, const Encoding& encoding, const Channel& channel,
                      const RandomStreams& streams, std::uint64_t message, std::uint32_t hop,
                      Visit&& visit) {
    KUMI_ASSERT(hop < (1U << 31), "a path has fewer hops");
    const std::uint64_t words = size_bytes / encoding.word_bytes();
    SpoiledBits wrong;
    if (words != 0 && encoding.open_bits() != 0) {
        const std::uint32_t bits = channel.modulation.bits_per_axis;
        const BitLayout layout(words, encoding.protected_bits, encoding.open_bits(), bits,
                               encoding.order);
        const ErrorWalk walk(channel.outside.all, channel.inside.all, channel.bursts,
                             streams.stream(message, 2 * hop), layout.axes());
        wrong.open = visit_errors(layout, walk, bits, visit);
    }
    if (words != 0 && encoding.protected_bits != 0) {
        KUMI_ASSERT(channel.modulation.can_be_thinned(), "two levels cannot be thinned");
        const std::uint32_t bits = channel.modulation.bits_per_axis - 1;
        const BitLayout layout(words, 0, encoding.protected_bits, bits, encoding.order);
        const ErrorWalk walk(channel.outside.thinned, channel.inside.thinned, channel.bursts,
                             streams.stream(message, 2 * hop + 1), layout.axes());
        wrong.under_protection = visit_errors(layout, walk, bits, visit);
    }
    return wrong;
}

}  // namespace

SpoiledBits count_errors(std::uint64_t size_bytes, const Encoding& encoding, const Channel& channel,
                         const RandomStreams& streams, std::uint64_t message, std::uint32_t hop,
                         std::span<std::uint64_t> by_bit) {
    return visit_all(size_bytes, encoding, channel, streams, message, hop, [&](PayloadBit at) {
        if (!by_bit.empty()) ++by_bit[at.bit];
    });
}

SpoiledBits spoil(std::span<std::byte> payload, const Encoding& encoding, const Channel& channel,
                  const RandomStreams& streams, std::uint64_t message, std::uint32_t hop,
                  std::span<std::uint64_t> by_bit) {
    return visit_all(payload.size(), encoding, channel, streams, message, hop, [&](PayloadBit at) {
        turn_round(payload, encoding, at);
        if (!by_bit.empty()) ++by_bit[at.bit];
    });
}

}  // namespace kumi::network
