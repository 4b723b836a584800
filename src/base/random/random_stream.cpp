#include "base/random/random_stream.hpp"

#include "base/check.hpp"

namespace kumi::inline base {
namespace {

/// Keys of further streams are made under another key than numbers are, so that none is both.
constexpr std::uint32_t kKeysNotNumbers = 0xA5A5A5A5;

constexpr std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
constexpr std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

Philox::Key derived(Philox::Key key, std::uint64_t number) {
    const Philox::Counter block =
        Philox::block({low(number), high(number), 0, 0}, {key[0], key[1] ^ kKeysNotNumbers});
    return {block[0], block[1]};
}

/// The hash function FNV-1a, of 64 bits.
constexpr std::uint64_t hash_of(std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char character : name) {
        hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3ULL;
    }
    return hash;
}

}  // namespace

std::uint64_t RandomStream::bits() {
    if (x_has_half) {
        x_has_half = false;
        return x_half;
    }
    KUMI_ASSERT(x_blocks != 0xFFFFFFFF, "a random stream has no more numbers");
    const Philox::Counter block =
        Philox::block({x_blocks++, x_part, low(x_sequence), high(x_sequence)}, x_key);
    x_half = std::uint64_t{block[3]} << 32 | block[2];
    x_has_half = true;
    return std::uint64_t{block[1]} << 32 | block[0];
}

/// By multiplication; numbers that would make some results more likely are drawn again [Lemire19].
std::uint64_t RandomStream::below(std::uint64_t limit) {
    KUMI_ASSERT(limit > 0, "there is no number below 0");
    __extension__ using Wide = unsigned __int128;
    Wide product = static_cast<Wide>(bits()) * limit;
    if (static_cast<std::uint64_t>(product) < limit) {
        const std::uint64_t left_over = -limit % limit;
        while (static_cast<std::uint64_t>(product) < left_over) {
            product = static_cast<Wide>(bits()) * limit;
        }
    }
    return static_cast<std::uint64_t>(product >> 64);
}

RandomStreams::RandomStreams(std::uint64_t seed, std::string_view name)
    : x_key(derived({low(seed), high(seed)}, hash_of(name))) {}

RandomStreams RandomStreams::of(std::uint64_t number) const {
    return RandomStreams(derived(x_key, number));
}

}  // namespace kumi::inline base
