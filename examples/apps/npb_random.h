/* The pseudo-random numbers of the NAS Parallel Benchmarks [Bailey94]: x' = 5^13 x mod 2^46, and
 * x 2^-46 is the number. */
#ifndef KUMIHIMO_EXAMPLES_NPB_RANDOM_H
#define KUMIHIMO_EXAMPLES_NPB_RANDOM_H

#include <stdint.h>

#define NPB_MULTIPLIER 1220703125u
#define NPB_SEED 314159265u

static const uint64_t kNpbMask = (1ull << 46) - 1;

static inline double npb_next(uint64_t* x, uint64_t multiplier) {
    *x = (*x * multiplier) & kNpbMask;
    return (double)*x * (1.0 / (double)(1ull << 46));
}

/* The multiplier that advances by `steps` at once. */
static inline uint64_t npb_power(uint64_t multiplier, uint64_t steps) {
    uint64_t result = 1;
    for (; steps > 0; steps >>= 1) {
        if (steps & 1) result = (result * multiplier) & kNpbMask;
        multiplier = (multiplier * multiplier) & kNpbMask;
    }
    return result;
}

#endif
