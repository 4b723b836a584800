#include "network/channel/encoding.hpp"

#include "base/check.hpp"

namespace kumi::network {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t over(Wide product, std::uint64_t divisor) {
    return static_cast<std::uint64_t>((product + divisor - 1) / divisor);
}

void check(const Encoding& encoding) {
    KUMI_ASSERT(encoding.word_bits >= 8 && encoding.word_bits % 8 == 0, "a word is whole bytes");
    KUMI_ASSERT(encoding.protected_bits <= encoding.word_bits,
                "more bits protected than there are");
}

}  // namespace

std::uint64_t encoded_bytes(const Encoding& encoding, std::uint32_t bits_per_axis,
                            std::uint64_t size_bytes) {
    check(encoding);
    const std::uint64_t words = size_bytes / encoding.word_bytes();
    const std::uint64_t rest = size_bytes % encoding.word_bytes();
    const std::uint64_t thinned = words * encoding.protected_bits + rest * 8;
    if (thinned == 0) return size_bytes;
    KUMI_ASSERT(bits_per_axis > 1, "two levels cannot be thinned");
    return size_bytes + over(thinned, std::uint64_t{8} * (bits_per_axis - 1));
}

double bandwidth_share(const Encoding& encoding, std::uint32_t bits_per_axis) {
    check(encoding);
    if (encoding.protected_bits == 0) return 1;
    KUMI_ASSERT(bits_per_axis > 1, "two levels cannot be thinned");
    const double whole = static_cast<double>(encoding.word_bits) * (bits_per_axis - 1);
    return whole / (whole + encoding.protected_bits);
}

BitLayout::BitLayout(std::uint64_t words, std::uint32_t first_bit, std::uint32_t bits,
                     std::uint32_t bits_per_axis, BitOrder order)
    : x_words(words),
      x_first_bit(first_bit),
      x_bits(bits),
      x_bits_per_axis(bits_per_axis),
      x_order(order),
      x_axes(over(static_cast<Wide>(words) * bits, bits_per_axis)) {}

bool BitLayout::at(std::uint64_t axis, std::uint32_t position, PayloadBit& found) const {
    return x_order == BitOrder::kInOrder ? in_order(axis, position, found)
                                         : important_first(axis, position, found);
}

bool BitLayout::in_order(std::uint64_t axis, std::uint32_t position, PayloadBit& found) const {
    const std::uint64_t place = axis * x_bits_per_axis + (position - 1);
    found = {place / x_bits, x_first_bit + static_cast<std::uint32_t>(place % x_bits)};
    return found.word < x_words;
}

/// A group of as many words as an axis has bits fills as many axes as a word has bits. Its bits in
/// the order of their significance fill the first position of all these axes, then the second. The
/// last group may have fewer words, and then fewer axes.
bool BitLayout::important_first(std::uint64_t axis, std::uint32_t position,
                                PayloadBit& found) const {
    const std::uint64_t group = axis / x_bits;
    const std::uint64_t first_word = group * x_bits_per_axis;
    const std::uint64_t left = x_words - first_word;
    const std::uint64_t words = left < x_bits_per_axis ? left : x_bits_per_axis;
    const std::uint64_t axes = over(static_cast<Wide>(words) * x_bits, x_bits_per_axis);
    const std::uint64_t rank = (position - 1) * axes + axis % x_bits;
    found = {first_word + rank % words, x_first_bit + static_cast<std::uint32_t>(rank / words)};
    return rank < words * x_bits;
}

}  // namespace kumi::network
