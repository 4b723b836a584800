#pragma once

#include <cstdint>

namespace kumi::network {

/// Where the unprotected bits of words go in symbols.
enum class BitOrder : std::uint8_t {
    /// One after the other, from each word's most significant one.
    kInOrder,
    /// As many words together as an axis has bits: their most significant bits take the positions
    /// that are wrong least often.
    kImportantFirst,
};

/// How words of a payload are sent where errors are allowed. The first `protected_bits` of each
/// are sent with every second level of each axis only, the others with all levels; both packed
/// across words. Plain data.
struct Encoding {
    std::uint32_t word_bits = 64;       ///< Of an element: a multiple of 8, little-endian.
    std::uint32_t protected_bits = 16;  ///< From the most significant one, 0 to word_bits.
    BitOrder order = BitOrder::kInOrder;

    constexpr std::uint32_t open_bits() const { return word_bits - protected_bits; }
    constexpr std::uint32_t word_bytes() const { return word_bits / 8; }
};

/// What a payload occupies on links, in bytes of a link that uses all levels, rounded up: the
/// exact share (w (b - 1) + p) / (w (b - 1)) of its size, b bits an axis. For 1024-QAM the
/// bandwidth is thus 4 w / (4 w + p) of the link's. Bytes behind the last whole word count as
/// protected.
std::uint64_t encoded_bytes(const Encoding& encoding, std::uint32_t bits_per_axis,
                            std::uint64_t size_bytes);

/// Rate of payload over a link's rate: w (b - 1) / (w (b - 1) + p).
double bandwidth_share(const Encoding& encoding, std::uint32_t bits_per_axis);

/// A bit of a payload.
struct PayloadBit {
    std::uint64_t word = 0;
    std::uint32_t bit = 0;  ///< 0 is the word's most significant one.
};

/// The way between places in symbols and bits of words, of the protected or the unprotected part
/// of a payload.
class BitLayout {
   public:
    /// @param words         Of the payload.
    /// @param first_bit     Of each word that belongs to this part.
    /// @param bits          Of each word that do.
    /// @param bits_per_axis Of the axes that carry them.
    BitLayout(std::uint64_t words, std::uint32_t first_bit, std::uint32_t bits,
              std::uint32_t bits_per_axis, BitOrder order);

    /// Number of axes that the part occupies; the last may be filled up with zeros.
    std::uint64_t axes() const { return x_axes; }
    /// The bit at a position of an axis, 1 the most significant. False where nothing is but fill.
    bool at(std::uint64_t axis, std::uint32_t position, PayloadBit& found) const;

   private:
    bool in_order(std::uint64_t axis, std::uint32_t position, PayloadBit& found) const;
    bool important_first(std::uint64_t axis, std::uint32_t position, PayloadBit& found) const;

    std::uint64_t x_words;
    std::uint32_t x_first_bit;
    std::uint32_t x_bits;
    std::uint32_t x_bits_per_axis;
    BitOrder x_order;
    std::uint64_t x_axes;
};

}  // namespace kumi::network
