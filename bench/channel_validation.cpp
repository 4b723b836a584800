// Channels of links against closed forms and independent counts, as a page: `channel_validation`
// prints docs/validation-channels.md, the same everywhere. Non-zero if a deviation is out of
// bounds.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "network/channel/correction.hpp"
#include "network/channel/spoil.hpp"

namespace kumi::bench {
namespace {

bool all_within = true;

/// A row's last two cells: the deviation, and its bound.
void end_row(double deviation, double bound, const char* unit) {
    const bool within = std::abs(deviation) <= bound;
    std::printf(" %.2g%s | %.2g%s%s |\n", deviation, unit, bound, unit,
                within ? "" : " **exceeded**");
    if (!within) all_within = false;
}

/// The same where rounding is all that may deviate. It differs between mathematical libraries, and
/// the page must not: what is within the bound is not printed.
void end_row_of_rounding(double deviation, const char* bound) {
    if (std::abs(deviation) <= std::strtod(bound, nullptr)) {
        std::printf(" below %s | %s |\n", bound, bound);
        return;
    }
    std::printf(" %.2g | %s **exceeded** |\n", deviation, bound);
    all_within = false;
}

void table(const char* heading, const char* text, const char* columns, int count) {
    std::printf("\n## %s\n\n%s\n\n| %s | deviation | bound |\n|", heading, text, columns);
    for (int column = 0; column < count + 2; ++column) std::printf("---|");
    std::printf("\n");
}

network::Channel channel_of(const char* name, double bit_error) {
    const network::Modulation modulation = *network::find_modulation(name);
    const double reach = network::reach_for_bit_error(modulation.bits_per_axis, bit_error);
    return network::make_channel(modulation,
                                 network::snr_of(modulation.bits_per_axis, modulation.axes, reach));
}

double ratio(double found, double expected) { return found / expected - 1; }

/// Standard deviations between a count and what is expected of one that is rare.
double spread(double count, double expected) { return (count - expected) / std::sqrt(expected); }

/// From all pairs of points in the plane for square QAM, or on the line: no axis is taken apart.
double enumerated_bit_error(const network::Modulation& modulation, double snr,
                            std::uint32_t position) {
    const int levels = static_cast<int>(modulation.levels());
    const int others = modulation.axes == 2 ? levels : 1;
    double energy = 0;
    for (int i = 0; i < levels; ++i) {
        for (int q = 0; q < others; ++q) {
            const double x = 2 * i + 1 - levels;
            const double y = modulation.axes == 2 ? 2 * q + 1 - levels : 0;
            energy += (x * x + y * y) / (levels * others);
        }
    }
    const double noise = std::sqrt(energy / snr);
    const auto region = [&](int sent, int decided, int count) {
        if (count == 1) return 1.0;
        const double low = decided == 0 ? -INFINITY : (2 * (decided - sent) - 1) / noise;
        const double high = decided == count - 1 ? INFINITY : (2 * (decided - sent) + 1) / noise;
        return low > 0 ? (std::erfc(low) - std::erfc(high)) / 2
                       : (std::erfc(-high) - std::erfc(-low)) / 2;
    };
    double sum = 0;
    for (int i = 0; i < levels; ++i) {
        for (int q = 0; q < others; ++q) {
            for (int i2 = 0; i2 < levels; ++i2) {
                const int differing = (i ^ i >> 1) ^ (i2 ^ i2 >> 1);
                if ((differing >> (modulation.bits_per_axis - position) & 1) == 0) continue;
                const double across = region(i, i2, levels);
                for (int q2 = 0; q2 < others; ++q2) sum += across * region(q, q2, others);
            }
        }
    }
    return sum / levels / others;
}

void print_formula() {
    table("Rate of each bit position",
          "The formula of [Cho02] against all pairs of points of the constellation, at the "
          "signal-to-noise ratio\nwhere one bit in 1e5 is wrong; the position that deviates most.",
          "modulation | Es/N0 | first bit | last bit", 4);
    for (const network::Modulation& modulation : network::kModulations) {
        if (modulation.bits_per_axis > 5) continue;  // 4096-QAM: 1.7e7 pairs for each position.
        const double snr =
            network::snr_of(modulation.bits_per_axis, modulation.axes,
                            network::reach_for_bit_error(modulation.bits_per_axis, 1e-5));
        const network::AxisErrors axis(
            modulation.bits_per_axis,
            network::reach_of(modulation.bits_per_axis, modulation.axes, snr));
        double most = 0;
        for (std::uint32_t position = 1; position <= modulation.bits_per_axis; ++position) {
            const double expected = enumerated_bit_error(modulation, snr, position);
            most = std::max(most, std::abs(ratio(axis.bit_error(position), expected)));
        }
        std::printf("| %s | %.2f dB | %.3g | %.3g |", modulation.name.data(),
                    network::db_of_ratio(snr), axis.bit_error(1),
                    axis.bit_error(modulation.bits_per_axis));
        end_row_of_rounding(most, "1e-09");
    }
}

void print_known() {
    table("Known signal-to-noise ratios",
          "Es/N0 at which the mean bit error rate is 1e-5 or 1e-12, against values computed apart.",
          "modulation | bit error rate | known | found", 4);
    struct Known {
        const char* name;
        double error, db;
    };
    for (const Known& known :
         {Known{"qam16", 1e-5, 19.46}, Known{"qam16", 1e-12, 23.88}, Known{"qam64", 1e-5, 25.57},
          Known{"qam64", 1e-12, 30.07}, Known{"qam256", 1e-5, 31.53}, Known{"qam256", 1e-12, 36.11},
          Known{"qam1024", 1e-5, 37.47}, Known{"qam1024", 1e-12, 42.11}}) {
        const network::Modulation modulation = *network::find_modulation(known.name);
        const double db = network::db_of_ratio(
            network::snr_of(modulation.bits_per_axis, modulation.axes,
                            network::reach_for_bit_error(modulation.bits_per_axis, known.error)));
        std::printf("| %s | %.0e | %.2f dB | %.4f dB |", known.name, known.error, known.db, db);
        end_row(db - known.db, 0.006, " dB");
    }
}

void print_draws() {
    table("Errors as they are drawn",
          "Wrong bits of 1 GiB of words of 40 bits over one hop, by their position on the axis "
          "(1024-QAM, one bit\nin 1e5 wrong, no bit protected), against the formula; deviation in "
          "standard deviations. The last row is the\nchi-square of all five, whose mean "
          "is 5 and whose variance is 10.",
          "position | expected | drawn", 3);
    const network::Channel channel = channel_of("qam1024", 1e-5);
    const std::uint64_t bytes = std::uint64_t{1} << 30;
    // Words of 5 bytes: a bit's place in its word says its position.
    const network::Encoding encoding{40, 0, network::BitOrder::kInOrder};
    std::vector<std::uint64_t> by_bit(40);
    network::count_errors(bytes, encoding, channel, network::channel_streams(1), 0, 0, by_bit);
    double chi_square = 0;
    for (std::uint32_t position = 1; position <= 5; ++position) {
        double drawn = 0;
        for (std::uint32_t bit = position - 1; bit < 40; bit += 5) {
            drawn += static_cast<double>(by_bit[bit]);
        }
        const auto axes = static_cast<double>(bytes / 5 * 8);
        const double expected = axes * channel.bit_error(position);
        chi_square += (drawn - expected) * (drawn - expected) / expected;
        std::printf("| %u | %.1f | %.0f |", position, expected, drawn);
        end_row(spread(drawn, expected), 4, " sd");
    }
    std::printf("| chi-square | 5 | %.2f |", chi_square);
    end_row((chi_square - 5) / std::sqrt(10.0), 4, " sd");
}

void print_protection() {
    table("Protected bits",
          "Bit error rate of 1024-QAM thinned to a quarter of its points where one bit in 1e5 of "
          "all points is wrong; what\nis above 1e-12 counts as deviation.",
          "position | bit error rate", 2);
    const network::Channel channel = channel_of("qam1024", 1e-5);
    for (std::uint32_t position = 1; position <= 4; ++position) {
        const double rate = channel.protected_bit_error(position);
        std::printf("| %u | %.2g |", position, rate);
        end_row(std::max(0.0, rate - 1e-12), 0, "");
    }
}

void print_bandwidth() {
    table("Effective bandwidth",
          "Of a link of 1 Tb/s, 1024-QAM: 4 w R / (4 w + p), against the bytes that 1 GB of "
          "payload occupies.",
          "w | p | closed form | by bytes", 4);
    for (const auto& [word, guarded] :
         {std::pair{64U, 0U}, {64U, 8U}, {64U, 16U}, {64U, 32U}, {64U, 64U}, {32U, 12U}}) {
        const double closed = 4000.0 * word / (4.0 * word + guarded);
        const auto bytes =
            network::encoded_bytes({word, guarded, network::BitOrder::kInOrder}, 5, 1'000'000'000);
        const double found = 1000 * 1e9 / static_cast<double>(bytes);
        std::printf("| %u | %u | %.1f Gb/s | %.1f Gb/s |", word, guarded, closed, found);
        end_row_of_rounding(ratio(found, closed), "1e-08");
    }
}

void print_hops() {
    table("Errors over several hops",
          "Wrong bits of 4 MiB after each hop (16-QAM, one bit in 100 wrong), against (1 - (1 - 2 "
          "P)^h) / 2 of each\nposition; in standard deviations.",
          "hops | expected | drawn", 3);
    const network::Channel channel = channel_of("qam16", 1e-2);
    std::vector<std::byte> payload(std::size_t{1} << 22);
    for (std::uint32_t hop = 0; hop < 6; ++hop) {
        network::spoil(payload, {64, 0, network::BitOrder::kInOrder}, channel,
                       network::channel_streams(1), 0, hop);
        double wrong = 0;
        for (const std::byte each : payload)
            wrong += std::popcount(std::to_integer<unsigned>(each));
        double expected = 0;
        for (std::uint32_t position = 1; position <= 2; ++position) {
            expected += static_cast<double>(payload.size()) * 4 *
                        (1 - std::pow(1 - 2 * channel.bit_error(position), hop + 1)) / 2;
        }
        std::printf("| %u | %.1f | %.0f |", hop + 1, expected, wrong);
        end_row(spread(wrong, expected), 4, " sd");
    }
}

double binomial_tail(std::uint32_t n, std::uint32_t above, double p) {
    double sum = 0;
    for (std::uint32_t j = n; j > above; --j) {
        sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(j + 1.0) - std::lgamma(n - j + 1.0) +
                        j * std::log(p) + (n - j) * std::log1p(-p));
    }
    return sum;
}

void print_fec() {
    table("Error correction",
          "Probability that a code word cannot be put right, against the tail of the binomial "
          "law.",
          "code | modulation | bit error rate | binomial | found | bit error rate left", 6);
    for (const char* code : {"rs528", "rs544"}) {
        for (const char* name : {"pam4", "qam1024"}) {
            for (const double error : {1e-3, 1e-4, 1e-5}) {
                const network::Channel channel = channel_of(name, error);
                const network::FecCode fec = *network::find_fec(code);
                const network::ResidualErrors residual(fec, channel);
                const double axes = 10.0 / channel.modulation.bits_per_axis;
                const double axis = 1 - channel.outside.all.rate();
                const double expected =
                    binomial_tail(fec.word_symbols, fec.correctable(), 1 - std::pow(axis, axes));
                std::printf("| %s | %s | %.0e | %.3g | %.3g | %.3g |", code, name, error, expected,
                            residual.word_failure(), residual.bit_error());
                const double deviation = ratio(residual.word_failure(), expected);
                end_row_of_rounding(deviation, "1e-07");
            }
        }
    }
}

void print_retry() {
    table("Link-level retry",
          "Frames of 256 B sent again in 1e4 messages of 1 MiB, against frames x P / (1 - P); in "
          "standard deviations.",
          "P | expected | drawn", 3);
    const network::Retry retry{256, {100'000}};
    const RandomStreams streams = network::channel_streams(1);
    for (const double error : {1e-6, 1e-4, 1e-2}) {
        std::uint64_t retries = 0;
        const std::uint64_t frames = retry.frames(1 << 20);
        for (std::uint64_t message = 0; message < 10'000; ++message) {
            retries += network::draw_retries(frames, error, streams.stream(message));
        }
        const double expected = network::mean_retries(frames * 10'000, error);
        std::printf("| %.0e | %.1f | %llu |", error, expected,
                    static_cast<unsigned long long>(retries));
        end_row(spread(static_cast<double>(retries), expected) * std::sqrt(1 - error), 4, " sd");
    }
}

}  // namespace
}  // namespace kumi::bench

int main() {
    std::printf(
        "# Validation: channels of links\n\n"
        "The channels of links ([decision "
        "52](adr/0052-errors-are-drawn-by-message-and-hop.md)) "
        "compared with\nclosed forms and independent counts. Printed by "
        "`build/release/bench/channel_validation`, whose draws are\nthe same everywhere; "
        "a test compares this page with it.\n");
    kumi::bench::print_formula();
    kumi::bench::print_known();
    kumi::bench::print_draws();
    kumi::bench::print_protection();
    kumi::bench::print_bandwidth();
    kumi::bench::print_hops();
    kumi::bench::print_fec();
    kumi::bench::print_retry();
    return kumi::bench::all_within ? 0 : 1;
}
