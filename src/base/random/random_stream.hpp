#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "base/random/philox.hpp"

/// Random numbers that are named by what they are for: by the run's seed, the component that draws
/// ("network.detours"), and integers such as source, sequence and hop. So a draw does not depend on
/// the order in which things are executed, nor on other draws. The same on every computer.
namespace kumi::inline base {

/// A sequence of random numbers. Plain data; copies go on separately.
class RandomStream {
   public:
    /// 64 random bits. A stream has almost 2^33 times as many; more are a programmer's error.
    std::uint64_t bits();
    /// Uniform in [0, limit), without bias. `limit` is at least 1.
    std::uint64_t below(std::uint64_t limit);
    /// Uniform in [0, 1), a multiple of 2^-53.
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

    /// Puts items in an order of which all are equally likely [Durstenfeld64].
    template <class Item>
    void shuffle(std::span<Item> items) {
        for (std::size_t left = items.size(); left > 1; --left) {
            std::swap(items[left - 1], items[below(left)]);
        }
    }

   private:
    friend class RandomStreams;

    RandomStream(Philox::Key key, std::uint64_t sequence, std::uint32_t part)
        : x_key(key), x_sequence(sequence), x_part(part) {}

    Philox::Key x_key;
    std::uint64_t x_sequence;
    std::uint32_t x_part;
    bool x_has_half = false;
    std::uint32_t x_blocks = 0;  ///< Taken so far.
    std::uint64_t x_half = 0;    ///< The other half of the last block, if it was not taken yet.
};

/// All streams of one name. Plain data.
class RandomStreams {
   public:
    /// @param seed  Of the run.
    /// @param name  Of the component and what it draws, such as "network.detours".
    RandomStreams(std::uint64_t seed, std::string_view name);

    /// The streams of one of many that draw for the same purpose, such as a source.
    RandomStreams of(std::uint64_t number) const;
    /// One stream, such as that of a message by its sequence, and of one hop of its way.
    RandomStream stream(std::uint64_t sequence = 0, std::uint32_t part = 0) const {
        return {x_key, sequence, part};
    }

   private:
    explicit RandomStreams(Philox::Key key) : x_key(key) {}

    Philox::Key x_key;
};

}  // namespace kumi::inline base
