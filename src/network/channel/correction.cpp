#include "network/channel/correction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.hpp"
#include "network/channel/geometric.hpp"

namespace kumi::network {
namespace {

/// From being outside of or in a burst to either.
using Matrix = std::array<std::array<double, 2>, 2>;
using States = std::array<double, 2>;

/// What one symbol of a code word does: it is right, or it is wrong.
struct SymbolSteps {
    Matrix right{};
    Matrix wrong{};
};

Matrix changes(const Bursts& bursts) {
    if (!bursts.happen()) return {{{1, 0}, {0, 1}}};
    return {{{1 - bursts.enter(), bursts.enter()}, {bursts.leave(), 1 - bursts.leave()}}};
}

Matrix times(const Matrix& a, const Matrix& b) {
    Matrix product{};
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) product[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j];
    }
    return product;
}

void add_to(States& states, const States& from, const Matrix& step) {
    for (int j = 0; j < 2; ++j) states[j] += from[0] * step[0][j] + from[1] * step[1][j];
}

/// The symbol that begins `phase` bits into an axis, axis by axis. Wrong ones are summed by
/// themselves: as a difference, rare ones would be lost.
SymbolSteps steps_at(const Channel& channel, std::uint32_t phase) {
    const std::uint32_t bits = channel.modulation.bits_per_axis;
    const ErrorPatterns* patterns[2] = {&channel.outside.all, &channel.inside.all};
    const Matrix change = changes(channel.bursts);
    SymbolSteps steps{{{{1, 0}, {0, 1}}}, {}};
    std::uint32_t left = FecCode::kSymbolBits;
    for (std::uint32_t first = phase; left != 0; first = 0) {
        const std::uint32_t taken = std::min(left, bits - first);
        const std::uint32_t mask = ((1U << taken) - 1) << (bits - first - taken);
        for (int state = 0; state < 2; ++state) {
            const double error = patterns[state]->any_of(mask);
            for (int from = 0; from < 2; ++from) {
                steps.wrong[from][state] += steps.right[from][state] * error;
                steps.right[from][state] *= 1 - error;
            }
        }
        left -= taken;
        if (first + taken == bits) {
            steps.right = times(steps.right, change);
            steps.wrong = times(steps.wrong, change);
        }
    }
    return steps;
}

/// The mean over all ways in which symbols of 10 bits meet axes: exact where 10 is a multiple of an
/// axis's bits.
SymbolSteps mean_steps(const Channel& channel) {
    const std::uint32_t bits = channel.modulation.bits_per_axis;
    const std::uint32_t phases = std::lcm(bits, FecCode::kSymbolBits) / FecCode::kSymbolBits;
    SymbolSteps mean;
    for (std::uint32_t symbol = 0; symbol < phases; ++symbol) {
        const SymbolSteps steps = steps_at(channel, symbol * FecCode::kSymbolBits % bits);
        for (int i = 0; i < 2; ++i) {
            for (int j = 0; j < 2; ++j) {
                mean.right[i][j] += steps.right[i][j] / phases;
                mean.wrong[i][j] += steps.wrong[i][j] / phases;
            }
        }
    }
    return mean;
}

}  // namespace

ResidualErrors::ResidualErrors(const FecCode& fec, const Channel& channel)
    : x_correctable(fec.correctable()) {
    KUMI_ASSERT(fec.corrects(), "nothing corrects");
    const SymbolSteps steps = mean_steps(channel);
    const double share = channel.bursts.happen() ? channel.bursts.share : 0;
    const States begin{1 - share, share};
    for (int i = 0; i < 2; ++i)
        x_symbol_error += begin[i] * (steps.wrong[i][0] + steps.wrong[i][1]);

    // [j]: j of the symbols so far are wrong, by state.
    std::vector<States> counts(fec.word_symbols + 1, States{});
    counts[0] = begin;
    for (std::uint32_t symbol = 0; symbol < fec.word_symbols; ++symbol) {
        for (std::uint32_t j = symbol + 2; j-- > 0;) {
            States next{};
            add_to(next, counts[j], steps.right);
            if (j > 0) add_to(next, counts[j - 1], steps.wrong);
            counts[j] = next;
        }
    }
    double symbols = 0;
    x_wrong_symbols.resize(counts.size());
    for (std::uint32_t j = fec.word_symbols + 1; j-- > 0;) {
        x_wrong_symbols[j] = counts[j][0] + counts[j][1];
        if (j <= x_correctable) continue;
        x_word_failure += x_wrong_symbols[j];
        symbols += j * x_wrong_symbols[j];
    }
    if (x_symbol_error > 0) {
        x_bit_error = symbols / fec.word_symbols * channel.bit_error() / x_symbol_error;
    }
}

ResidualErrors::Failures ResidualErrors::draw(std::uint64_t words, RandomStream random) const {
    Failures failures;
    for (std::uint64_t at = 0; at < words; ++at) {
        const std::uint64_t right = draw_failures(random, x_word_failure, words - at);
        if (right >= words - at) break;
        at += right;
        double height = random.uniform() * x_word_failure;
        std::size_t wrong = x_correctable + 1;
        while (wrong + 1 < x_wrong_symbols.size() && height >= x_wrong_symbols[wrong]) {
            height -= x_wrong_symbols[wrong++];
        }
        ++failures.words;
        failures.symbols += wrong;
    }
    return failures;
}

Duration time_of_retry(const Retry& retry, std::uint64_t rate_bps) {
    return transfer_time(retry.frame_bytes, rate_bps) + retry.round_trip;
}

std::uint64_t draw_retries(std::uint64_t frames, double frame_error, RandomStream random) {
    KUMI_ASSERT(frame_error >= 0 && frame_error < 1, "a frame gets through some time");
    std::uint64_t retries = 0;
    // Successes between failures, by one draw each; a failed frame is tried again.
    while (true) {
        const std::uint64_t successes = draw_failures(random, frame_error, frames);
        if (successes >= frames) return retries;
        frames -= successes;
        ++retries;
    }
}

double mean_retries(std::uint64_t frames, double frame_error) {
    return static_cast<double>(frames) * frame_error / (1 - frame_error);
}

double frame_error(double error, double parts) { return -std::expm1(parts * std::log1p(-error)); }

}  // namespace kumi::network
