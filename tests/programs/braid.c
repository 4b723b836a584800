/* All that the techniques act on, in one loop: computing, exchanges with neighbours of a ring, of
 * numbers that may arrive with errors and of integers that may not, blocks for all ranks, sums and
 * barriers. What each number must be is known where it arrives.
 *
 * Usage: braid [ROUNDS [POINTS]], POINTS doubles in a message to a neighbour.
 *
 * Rank 0 prints a digest of all integers, one of all bits of numbers, how many of the bits that
 * MPI_Sendrecv brought were wrong, how many of the first 16 bits of any number were, and the
 * largest relative error of blocks and of sums. */
#include <kumihimo/compute.h>
#include <kumihimo/hint.h>
#include <math.h>

#include "check.h"

enum { PROTECTED_BITS = 16, BLOCK = 24, SUMS = 16, NAMES = 4 };

static uint64_t integers_seen = 14695981039346656037u, numbers_seen = 14695981039346656037u;
static int64_t wrong_bits, faults;
static double block_error, sum_error;

static void digest(uint64_t* seen, const void* data, size_t size_bytes) {
    const unsigned char* bytes = data;
    for (size_t i = 0; i < size_bytes; ++i) *seen = (*seen ^ bytes[i]) * 1099511628211u;
}

static int neighbour(int distance) { return (world_rank + distance + world_size) % world_size; }

/* Between 1 and 2, with all bits of the fraction in use. */
static double number(int sender, int round, int place) {
    const uint64_t mixed = ((uint64_t)sender * 0x9E3779B97F4A7C15u) ^
                           ((uint64_t)round * 0xD6E8FEB86659FD93u) ^
                           ((uint64_t)place * 0xC2B2AE3D27D4EB4Fu);
    return 1.0 + (double)(mixed >> 12) * 0x1p-52;
}

static int64_t integer(int sender, int round, int place) {
    return (int64_t)sender * 1000003 + (int64_t)round * 1009 + place;
}

/* Bits of a number that are not what was sent. */
static int wrong(double got, double sent) {
    uint64_t is, was;
    memcpy(&is, &got, sizeof is);
    memcpy(&was, &sent, sizeof was);
    faults += __builtin_popcountll((is ^ was) >> (64 - PROTECTED_BITS));
    return __builtin_popcountll(is ^ was);
}

static double larger(double error, double got, double expected) {
    const double now = fabs(got / expected - 1);
    return now > error ? now : error;
}

/* Numbers to one neighbour, integers to the other. */
static void exchange(int round, int points) {
    double* out = allocate(points * sizeof(double));
    double* in = allocate(points * sizeof(double));
    int64_t names_out[NAMES], names_in[NAMES];
    MPI_Request requests[2];
    for (int i = 0; i < points; ++i) out[i] = number(world_rank, round, i);
    for (int i = 0; i < NAMES; ++i) names_out[i] = integer(world_rank, round, i);
    const int left = neighbour(-1), right = neighbour(1);
    MPI_Irecv(names_in, NAMES, MPI_INT64_T, right, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(names_out, NAMES, MPI_INT64_T, left, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Sendrecv(out, points, MPI_DOUBLE, right, 2, in, points, MPI_DOUBLE, left, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < points; ++i) wrong_bits += wrong(in[i], number(left, round, i));
    for (int i = 0; i < NAMES; ++i) CHECK(names_in[i] == integer(right, round, i));
    digest(&numbers_seen, in, points * sizeof(double));
    digest(&integers_seen, names_in, sizeof names_in);
    free(out);
    free(in);
}

/* A block of numbers and one of integers for each rank. */
static void spread(MPI_Comm comm, int round) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    double* out = allocate((size_t)size * BLOCK * sizeof(double));
    double* in = allocate((size_t)size * BLOCK * sizeof(double));
    int64_t* names_out = allocate((size_t)size * sizeof(int64_t));
    int64_t* names_in = allocate((size_t)size * sizeof(int64_t));
    for (int i = 0; i < size * BLOCK; ++i) out[i] = number(rank, round, i);
    for (int i = 0; i < size; ++i) names_out[i] = integer(rank, round, i);
    MPI_Alltoall(out, BLOCK, MPI_DOUBLE, in, BLOCK, MPI_DOUBLE, comm);
    MPI_Alltoall(names_out, 1, MPI_INT64_T, names_in, 1, MPI_INT64_T, comm);
    for (int i = 0; i < size * BLOCK; ++i) {
        const double expected = number(i / BLOCK, round, rank * BLOCK + i % BLOCK);
        wrong(in[i], expected);
        block_error = larger(block_error, in[i], expected);
    }
    for (int i = 0; i < size; ++i) CHECK(names_in[i] == integer(i, round, rank));
    digest(&numbers_seen, in, (size_t)size * BLOCK * sizeof(double));
    digest(&integers_seen, names_in, (size_t)size * sizeof(int64_t));
    free(out);
    free(in);
    free(names_out);
    free(names_in);
}

static void sum_up(int round) {
    double own[SUMS], sums[SUMS];
    int64_t name = integer(world_rank, round, 0), names = 0, expected_names = 0;
    for (int i = 0; i < SUMS; ++i) own[i] = number(world_rank, round, i);
    MPI_Allreduce(own, sums, SUMS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&name, &names, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < SUMS; ++i) {
        double expected = 0;
        for (int rank = 0; rank < world_size; ++rank) expected += number(rank, round, i);
        sum_error = larger(sum_error, sums[i], expected);
    }
    for (int rank = 0; rank < world_size; ++rank) expected_names += integer(rank, round, 0);
    CHECK(names == expected_names);
    digest(&numbers_seen, sums, sizeof sums);
    digest(&integers_seen, &names, sizeof names);
}

/* The largest of all ranks. Doubles that are not negative are in the order of their bits, and
 * integers arrive as they are. */
static double largest(double error) {
    int64_t own, all;
    memcpy(&own, &error, sizeof own);
    MPI_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    memcpy(&error, &all, sizeof error);
    return error;
}

static void report(void) {
    const int64_t own[2] = {wrong_bits, faults};
    int64_t all[2];
    const uint64_t seen[2] = {integers_seen * (2 * (uint64_t)world_rank + 1),
                              numbers_seen * (2 * (uint64_t)world_rank + 1)};
    uint64_t all_seen[2];
    MPI_Allreduce(own, all, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(seen, all_seen, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    const double of_blocks = largest(block_error), of_sums = largest(sum_error);
    if (world_rank > 0) return;
    printf("integers %016llx\n", (unsigned long long)all_seen[0]);
    printf("numbers %016llx\n", (unsigned long long)all_seen[1]);
    printf("wrong bits %lld\n", (long long)all[0]);
    printf("wrong protected bits %lld\n", (long long)all[1]);
    printf("largest error of blocks %.3g, of sums %.3g\n", of_blocks, of_sums);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const int rounds = argc > 1 ? atoi(argv[1]) : 8;
    const int points = argc > 2 ? atoi(argv[2]) : 1500;
    MPI_Comm everyone;
    /* Its first MPI_Alltoall may have to make what the calls after it use. */
    MPI_Comm_dup(MPI_COMM_WORLD, &everyone);
    CHECK(HINT("IN_KERNEL", "1") == KUMI_HINT_OK);
    for (int round = 0; round < rounds; ++round) {
        kumi_compute_seconds(30e-6);
        exchange(round, points);
        spread(everyone, round);
        kumi_compute_seconds(20e-6);
        sum_up(round);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK(HINT("IN_KERNEL", "0") == KUMI_HINT_OK);
    MPI_Comm_free(&everyone);
    report();
    MPI_Finalize();
    return 0;
}
