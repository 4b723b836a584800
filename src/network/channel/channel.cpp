#include "network/channel/channel.hpp"

#include "base/check.hpp"

namespace kumi::network {
namespace {

/// Every second level: one bit less, and twice the distance.
MappedErrors mapped(const Modulation& modulation, double snr) {
    const std::uint32_t bits = modulation.bits_per_axis;
    const double reach = reach_of(bits, modulation.axes, snr);
    MappedErrors errors{ErrorPatterns(AxisErrors(bits, reach)), {}};
    if (modulation.can_be_thinned()) {
        errors.thinned = ErrorPatterns(AxisErrors(bits - 1, 2 * reach));
    }
    return errors;
}

double mix(const Bursts& bursts, double outside, double inside) {
    return bursts.happen() ? (1 - bursts.share) * outside + bursts.share * inside : outside;
}

}  // namespace

Channel make_channel(const Modulation& modulation, double snr, const Bursts& bursts) {
    KUMI_ASSERT(!bursts.happen() || (bursts.length >= 1 && bursts.share < 1 && bursts.enter() <= 1),
                "bursts leave no room between them");
    const MappedErrors outside = mapped(modulation, snr);
    return {modulation, bursts, outside,
            bursts.happen() ? mapped(modulation, bursts.snr) : outside};
}

double Channel::bit_error() const {
    return mix(bursts, outside.all.mean_bit_error(), inside.all.mean_bit_error());
}

double Channel::bit_error(std::uint32_t position) const {
    return mix(bursts, outside.all.bit_error(position), inside.all.bit_error(position));
}

double Channel::protected_bit_error(std::uint32_t position) const {
    return mix(bursts, outside.thinned.bit_error(position), inside.thinned.bit_error(position));
}

}  // namespace kumi::network
