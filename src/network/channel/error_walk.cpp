#include "network/channel/error_walk.hpp"

#include "network/channel/geometric.hpp"

namespace kumi::network {

ErrorWalk::ErrorWalk(const ErrorPatterns& outside, const ErrorPatterns& inside,
                     const Bursts& bursts, RandomStream random, std::uint64_t axes)
    : x_patterns{&outside, &inside}, x_bursts(bursts), x_random(random), x_axes(axes) {
    if (!bursts.happen()) {
        x_state_end = axes;
        return;
    }
    // In equilibrium; change_state turns it round.
    x_in_burst = x_random.uniform() >= bursts.share;
    change_state();
}

void ErrorWalk::change_state() {
    x_in_burst = !x_in_burst;
    const double change = x_in_burst ? x_bursts.leave() : x_bursts.enter();
    const std::uint64_t left = x_axes - x_at;
    const std::uint64_t more = draw_failures(x_random, change, left);
    x_state_end = more < left ? x_at + more + 1 : x_axes;
}

bool ErrorWalk::next(AxisError& error) {
    while (x_at < x_axes) {
        const ErrorPatterns& patterns = *x_patterns[x_in_burst ? 1 : 0];
        const std::uint64_t left = x_state_end - x_at;
        const std::uint64_t right = draw_failures(x_random, patterns.rate(), left);
        if (right < left) {
            error.axis = x_at + right;
            error.pattern = patterns.draw(x_random);
            x_at = error.axis + 1;
            if (x_at == x_state_end && x_at < x_axes) change_state();
            return true;
        }
        x_at = x_state_end;
        if (x_at < x_axes) change_state();
    }
    return false;
}

}  // namespace kumi::network
