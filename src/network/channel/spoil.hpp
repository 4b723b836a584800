#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/random/random_stream.hpp"
#include "network/channel/channel.hpp"
#include "network/channel/encoding.hpp"

namespace kumi::network {

/// What errors a payload met.
struct SpoiledBits {
    std::uint64_t open = 0;  ///< Unprotected bits.
    std::uint64_t under_protection = 0;
    std::uint64_t total() const { return open + under_protection; }
    SpoiledBits& operator+=(const SpoiledBits& other) {
        open += other.open;
        under_protection += other.under_protection;
        return *this;
    }
};

/// All draws of channels of a run.
inline RandomStreams channel_streams(std::uint64_t seed) { return {seed, "network.channel"}; }

/// Draws the errors of one hop of a message: which they are depends on the streams, the message,
/// the hop, the size and the encoding, and neither on the payload nor on other draws,
/// because links scramble what they carry. Adds to `by_bit`, of `word_bits` numbers from the most
/// significant bit on or empty, how often each bit of words is wrong. The time grows with the
/// number of errors and bursts, not with the size.
/// Protected bits need a modulation that can be thinned. Bytes behind the last whole word stay as
/// they are.
/// @param hop  Below 2^31.
SpoiledBits count_errors(std::uint64_t size_bytes, const Encoding& encoding, const Channel& channel,
                         const RandomStreams& streams, std::uint64_t message, std::uint32_t hop,
                         std::span<std::uint64_t> by_bit = {});

/// The same, and turns the bits round in the payload.
SpoiledBits spoil(std::span<std::byte> payload, const Encoding& encoding, const Channel& channel,
                  const RandomStreams& streams, std::uint64_t message, std::uint32_t hop,
                  std::span<std::uint64_t> by_bit = {});

}  // namespace kumi::network
