/* What the kinds of calls share: choices, places for data, and a digest of what a rank has seen.
 *
 * Choices come from two generators: one from which all ranks draw in step, and one of each rank.
 */
#ifndef KUMIHIMO_TESTS_TORTURE_H
#define KUMIHIMO_TESTS_TORTURE_H

#include <kumihimo/compute.h>
#include <time.h>

#include "../programs/check.h"

enum { kMostRanks = 64, kMostNeighbours = 4, kMostBytes = 40000 };

static uint64_t shared_state;
static uint64_t private_state;

/* FNV-1a over all that the program could act on: sources, indices, flags, clocks, data. */
static uint64_t digest = 0xCBF29CE484222325u;

/* The communicator of the present round, and this rank's place in it. */
static MPI_Comm comm;
static int rank, size;

static unsigned char out[kMostRanks][kMostBytes];
static unsigned char in[kMostRanks][kMostBytes];

static inline uint32_t draw(uint64_t* state, uint32_t below) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}
static inline uint32_t shared(uint32_t below) { return draw(&shared_state, below); }
static inline int chance(uint32_t in_all) { return draw(&private_state, in_all) == 0; }

static int is_traced;
static double start_s;

static inline void see(uint64_t value) {
    if (is_traced) fprintf(stderr, "rank %d sees %llu\n", world_rank, (unsigned long long)value);
    for (int i = 0; i < 8; ++i) digest = (digest ^ (value >> (8 * i) & 255)) * 0x100000001B3u;
}

/* Whether numbers may arrive with errors, in bits after the first kProtectedBits of each. */
static int is_approximate;
enum { kProtectedBits = 20 };

/* Up to kMostRanks steps of a collective operation may each add an error of a number's first bit
 * that is not protected. Without errors, numbers are exact. */
static inline void check_number(double found, double expected) {
    if (!is_approximate) {
        CHECK(found == expected);
        return;
    }
    uint64_t bits;
    memcpy(&bits, &found, sizeof bits);
    see(bits);
    const double largest = 2.0 * kMostRanks / (1 << (kProtectedBits - 12));
    const double error = found > expected ? found - expected : expected - found;
    /* Open bits of 0 make it no larger than this. */
    CHECK(error <= largest * (expected < 0 ? -expected : expected) + 1e-300);
}

static inline void see_status(const MPI_Status* status) {
    int bytes = 0;
    MPI_Get_count(status, MPI_BYTE, &bytes);
    see((uint64_t)status->MPI_SOURCE << 32 | (uint32_t)status->MPI_TAG);
    see((uint64_t)bytes);
}

static inline void see_clock(void) { see((uint64_t)((MPI_Wtime() - start_s) * 1e9 + 0.5)); }

/* The rank that comes `distance` after this one, or, if negative, before. */
static inline int rank_at(int distance) { return (rank + size + distance % size) % size; }

/* Most are small; some are larger than what goes eagerly. */
static inline int draw_bytes(void) {
    const uint32_t kind = shared(8);
    if (kind == 0) return 0;
    return (int)(kind == 1 ? shared(kMostBytes) : shared(300));
}

static inline uint64_t name_of(int round, int source, int place) {
    return ((uint64_t)round << 20) + ((uint64_t)source << 8) + (uint64_t)place;
}

/* Rounds are not separated: what is received from any source must not be of another round. */
enum { kNeverSent = 32767, kAcrossRounds = 32766, kMostRounds = 2000 };
static inline int tag_of(int round, int place) { return round * 16 + place; }

static inline void check_in(int place, int bytes, int round, int source, int source_place) {
    CHECK(pattern_matches(in[place], (size_t)bytes, name_of(round, source, source_place)));
}

static inline void sleep_for(long nanoseconds) {
    const struct timespec time = {0, nanoseconds};
    nanosleep(&time, NULL);
}

/* Takes time where work is counted. */
static inline void work(void) {
    volatile double sink = 1;
    for (uint32_t left = draw(&private_state, 20000); left > 0; --left) sink = sink * 1.0000001;
}

/* Something that differs from rank to rank and sends nothing. */
static inline void do_something(void) {
    if (chance(4)) work();
    if (chance(4)) kumi_compute_seconds(1e-7 * draw(&private_state, 100));
    if (chance(16)) see_clock();
    if (chance(16)) sleep_for(100 + (long)draw(&private_state, 20000));
    if (chance(16)) {
        int flag = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, kNeverSent, comm, &flag, MPI_STATUS_IGNORE);
        CHECK(!flag);
    }
}

#endif
