#include "network/channel/error_patterns.hpp"

#include <algorithm>
#include <numeric>

#include "network/channel/modulation.hpp"

namespace kumi::network {

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

double ErrorPatterns::mean_bit_error() const {
    double sum = 0;
    for (std::uint32_t position = 1; position <= x_bits; ++position) sum += bit_error(position);
    return sum / x_bits;
}

std::uint32_t ErrorPatterns::draw(RandomStream& random) const {
    const double height = random.uniform() * x_rate;
    std::uint32_t place = 0;
    while (x_up_to[place] <= height) ++place;
    return x_order[place];
}

}  // namespace kumi::network
