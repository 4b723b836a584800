#include "network/channel/axis_errors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.hpp"

namespace kumi::network {

AxisErrors::AxisErrors(std::uint32_t bits, double reach) : x_bits(bits) {
    KUMI_ASSERT(bits >= 1 && bits <= kMostBits, "an axis has 2 to 64 levels");
    KUMI_ASSERT(reach >= 0, "levels have a distance");
    for (std::uint32_t i = 0; i < levels(); ++i) {
        x_beyond[i] = 0.5 * std::erfc((2.0 * i + 1.0) * reach);
    }
}

double AxisErrors::transition(std::uint32_t sent, std::uint32_t decided) const {
    if (sent == decided) return 1 - level_error(sent);
    const std::uint32_t apart = sent < decided ? decided - sent : sent - decided;
    const bool is_outer = decided == 0 || decided == levels() - 1;
    const double nearer = beyond(2 * apart - 1);
    return is_outer ? nearer : nearer - beyond(2 * apart + 1);
}

double AxisErrors::level_error(std::uint32_t sent) const {
    const bool is_outer = sent == 0 || sent == levels() - 1;
    return is_outer ? beyond(1) : 2 * beyond(1);
}

double AxisErrors::mean_level_error() const { return 2.0 * (levels() - 1) / levels() * beyond(1); }

double AxisErrors::bit_error(std::uint32_t position) const {
    KUMI_ASSERT(position >= 1 && position <= x_bits, "an axis has no such bit");
    // P_k = 1/L sum_i (-1)^floor(i 2^(k-1) / L) (2^(k-1) - floor(i 2^(k-1) / L + 1/2))
    //       erfc((2 i + 1) reach), i up to (1 - 2^-k) L - 1; here erfc is 2 beyond(2 i + 1).
    const std::uint64_t step = std::uint64_t{1} << (position - 1);
    const std::uint64_t terms = levels() - (levels() >> position);
    double sum = 0;
    // From the smallest to the largest, so that small ones count.
    for (std::uint64_t i = terms; i-- > 0;) {
        const std::uint64_t turns = i * step / levels();
        const std::uint64_t rounded = (2 * i * step + levels()) / (2 * levels());
        const double weight = static_cast<double>(step) - static_cast<double>(rounded);
        const double term = weight * 2 * x_beyond[i];
        sum += turns % 2 == 0 ? term : -term;
    }
    return sum / levels();
}

namespace {

/// Over all bits of an axis.
double mean_bit_error_of(const auto& errors) {
    double sum = 0;
    for (std::uint32_t position = 1; position <= errors.bits(); ++position)
        sum += errors.bit_error(position);
    return sum / errors.bits();
}

/// Energy of a symbol over the squared half of the distance of its levels.
double energy_of(std::uint32_t bits, std::uint32_t axes) {
    const double levels = std::exp2(bits);
    return axes * (levels * levels - 1) / 3;
}

}  // namespace

double AxisErrors::mean_bit_error() const { return mean_bit_error_of(*this); }
double ErrorPatterns::mean_bit_error() const { return mean_bit_error_of(*this); }

double reach_of(std::uint32_t bits, std::uint32_t axes, double snr) {
    return std::sqrt(snr / energy_of(bits, axes));
}

double snr_of(std::uint32_t bits, std::uint32_t axes, double reach) {
    return reach * reach * energy_of(bits, axes);
}

double reach_for_bit_error(std::uint32_t bits, double bit_error) {
    KUMI_ASSERT(bit_error > 0 && bit_error < AxisErrors(bits, 0).mean_bit_error(),
                "no noise makes that share of errors");
    double low = 0;
    double high = 30;  // erfc is below the smallest double.
    for (int halving = 0; halving < 200; ++halving) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        (AxisErrors(bits, middle).mean_bit_error() > bit_error ? low : high) = middle;
    }
    return high;
}

double ratio_of_db(double db) { return std::pow(10, db / 10); }
double db_of_ratio(double ratio) { return 10 * std::log10(ratio); }

ErrorPatterns::ErrorPatterns(const AxisErrors& axis) : x_bits(axis.bits()) {
    const std::uint32_t levels = axis.levels();
    for (std::uint32_t sent = 0; sent < levels; ++sent) {
        for (std::uint32_t decided = 0; decided < levels; ++decided) {
            if (sent == decided) continue;
            const std::uint32_t pattern = gray_of(sent) ^ gray_of(decided);
            x_probability[pattern] += axis.transition(sent, decided) / levels;
        }
    }
    std::iota(x_order.begin(), x_order.begin() + levels, std::uint8_t{0});
    std::stable_sort(x_order.begin(), x_order.begin() + levels,
                     [this](auto a, auto b) { return x_probability[a] > x_probability[b]; });
    for (std::uint32_t place = 0; place < levels; ++place) {
        x_rate += x_probability[x_order[place]];
        x_up_to[place] = x_rate;
    }
}

double ErrorPatterns::any_of(std::uint32_t mask) const {
    double sum = 0;
    for (std::uint32_t pattern = 1; pattern < (1U << x_bits); ++pattern) {
        if ((pattern & mask) != 0) sum += x_probability[pattern];
    }
    return sum;
}

double ErrorPatterns::bit_error(std::uint32_t position) const {
    return any_of(1U << (x_bits - position));
}

std::uint32_t ErrorPatterns::draw(RandomStream& random) const {
    const double height = random.uniform() * x_rate;
    std::uint32_t place = 0;
    while (x_up_to[place] <= height) ++place;
    return x_order[place];
}

}  // namespace kumi::network
