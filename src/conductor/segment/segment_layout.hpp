#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace kumi::conductor {

/// A number of what lies in a segment and where. Processes built from other sources have another
/// one, so that none reads memory that it does not understand.
class LayoutHash {
   public:
    /// Goes on with a type: how large it is, and how it must lie.
    template <class Type>
    constexpr LayoutHash& type() {
        return add(sizeof(Type)).add(alignof(Type));
    }
    /// The same with several types.
    template <class... Types>
    constexpr LayoutHash& types() {
        (type<Types>(), ...);
        return *this;
    }
    /// Goes on with where members lie in the last type.
    constexpr LayoutHash& members(std::initializer_list<std::size_t> offsets) {
        for (const std::size_t offset : offsets) add(offset);
        return add(offsets.size());
    }
    constexpr std::uint64_t value() const { return x_value; }

   private:
    /// FNV-1a, a word at a time.
    constexpr LayoutHash& add(std::uint64_t word) {
        x_value = (x_value ^ word) * 0x100000001b3ULL;
        return *this;
    }

    std::uint64_t x_value = 0xcbf29ce484222325ULL;
};

/// Of the segment as this code knows it: sizes of everything that lies in it, and the members of
/// what its processes look into.
std::uint64_t segment_layout();

}  // namespace kumi::conductor
