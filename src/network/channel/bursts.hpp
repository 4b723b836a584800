#pragma once

namespace kumi::network {

/// Noise that comes in bursts, after Gilbert and Elliott [Elliott63]: a Markov chain of two states,
/// which may change between one axis of a symbol and the next. Plain data.
struct Bursts {
    double share = 0;   ///< Of the axes that lie in bursts, below 1. 0: there are none.
    double length = 1;  ///< Mean of a burst, in axes, 1 or more.
    double snr = 0;     ///< Energy per symbol over noise density within bursts, a plain ratio.

    bool happen() const { return share > 0; }
    /// Probability that the axis after one in a burst is not in one.
    double leave() const { return 1 / length; }
    /// Probability that the axis after one outside is in a burst; at most 1, which bounds `share`
    /// by length / (length + 1).
    double enter() const { return share / (1 - share) / length; }
};

}  // namespace kumi::network
