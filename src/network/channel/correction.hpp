#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/random/random_stream.hpp"
#include "base/time/time.hpp"
#include "network/channel/channel.hpp"

namespace kumi::network {

/// Forward error correction of a link: a Reed-Solomon code over symbols of 10 bits, or none. Plain
/// data.
struct FecCode {
    std::string_view name;
    std::uint32_t word_symbols = 0;  ///< Of a code word (n); 0: no correction.
    std::uint32_t data_symbols = 0;  ///< Of them carry data (k).
    Duration latency{};              ///< Added at every hop.

    static constexpr std::uint32_t kSymbolBits = 10;

    constexpr bool corrects() const { return word_symbols != 0; }
    /// Number of wrong symbols of a word that are put right, wherever they are (t).
    constexpr std::uint32_t correctable() const { return (word_symbols - data_symbols) / 2; }
};

/// The codes of IEEE 802.3: RS(528,514), clause 91, and RS(544,514), clause 119. Latency as in
/// [Fujiwara16]: 100 ns per hop.
inline constexpr std::array<FecCode, 3> kFecCodes{{
    {"none", 0, 0, {}},
    {"rs528", 528, 514, {100'000}},
    {"rs544", 544, 514, {100'000}},
}};

/// The code of that name, or none.
constexpr std::optional<FecCode> find_fec(std::string_view name) {
    const auto* found = std::ranges::find(kFecCodes, name, &FecCode::name);
    return found == kFecCodes.end() ? std::nullopt : std::optional(*found);
}

/// What FEC leaves of a channel's errors. A decoder that finds more errors than it can put
/// right leaves the word as it came.
class ResidualErrors {
   public:
    /// `fec` must correct.
    ResidualErrors(const FecCode& fec, const Channel& channel);

    /// Probability that a symbol of 10 bits is wrong before correction.
    double symbol_error() const { return x_symbol_error; }
    /// Probability that a word has `count` wrong symbols.
    double wrong_symbols(std::uint32_t count) const { return x_wrong_symbols[count]; }
    /// Probability that a word has more wrong symbols than are put right.
    double word_failure() const { return x_word_failure; }
    /// Rate of wrong bits after correction.
    double bit_error() const { return x_bit_error; }

    /// How many of a message's words fail at one hop, and how many wrong symbols these have
    /// together. The time grows with the number of failing words.
    struct Failures {
        std::uint64_t words = 0, symbols = 0;
    };
    Failures draw(std::uint64_t words, RandomStream random) const;

   private:
    std::uint32_t x_correctable;
    double x_symbol_error = 0;
    std::vector<double> x_wrong_symbols;
    double x_word_failure = 0;
    double x_bit_error = 0;
};

/// Link-level retry: a link's far end finds frames with errors by their check sum and has them, and
/// all that followed, sent again (go-back-N). Plain data.
struct Retry {
    std::uint64_t frame_bytes = 0;
    Duration round_trip{};  ///< From a frame's last bit leaving to its confirmation.

    std::uint64_t frames(std::uint64_t size_bytes) const {
        return size_bytes == 0 ? 1 : (size_bytes - 1) / frame_bytes + 1;
    }
};

/// What one frame with an error costs: it and all that left before the sender heard of it are sent
/// again, which is a frame's time and the round trip. A sender that may not send so much before it
/// hears of it loses as much: it stands still then.
Duration time_of_retry(const Retry& retry, std::uint64_t rate_bps);

/// How often frames of a message are sent again at one hop, each time with that probability: the
/// failures before `frames` successes. The time grows with the number of retries.
std::uint64_t draw_retries(std::uint64_t frames, double frame_error, RandomStream random);

/// Their mean: frames x error / (1 - error).
double mean_retries(std::uint64_t frames, double frame_error);

/// Probability that a frame has an error whose bits or words have errors independently.
double frame_error(double error, double parts);

}  // namespace kumi::network
