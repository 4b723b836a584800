/* What the test programs share: a check that ends the whole job, and patterns to fill buffers. */
#ifndef KUMIHIMO_TESTS_CHECK_H
#define KUMIHIMO_TESTS_CHECK_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the job with the place and the expression when `condition` does not hold. */
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            int check_rank_ = -1;                                                                  \
            MPI_Comm_rank(MPI_COMM_WORLD, &check_rank_);                                           \
            fprintf(stderr, "%s:%d: rank %d: check failed: %s\n", __FILE__, __LINE__, check_rank_, \
                    #condition);                                                                   \
            MPI_Abort(MPI_COMM_WORLD, 3);                                                          \
        }                                                                                          \
    } while (0)

/* The byte at `index` of a message that `seed` names; differs between neighbours and seeds. */
static inline unsigned char pattern_byte(uint64_t seed, size_t index) {
    const uint64_t mixed = (seed * 0x9E3779B97F4A7C15u) ^ (index * 0xC2B2AE3D27D4EB4Fu);
    return (unsigned char)(mixed >> 56);
}

static inline void pattern_fill(void* buffer, size_t size_bytes, uint64_t seed) {
    unsigned char* bytes = (unsigned char*)buffer;
    for (size_t i = 0; i < size_bytes; ++i) bytes[i] = pattern_byte(seed, i);
}

static inline int pattern_matches(const void* buffer, size_t size_bytes, uint64_t seed) {
    const unsigned char* bytes = (const unsigned char*)buffer;
    for (size_t i = 0; i < size_bytes; ++i) {
        if (bytes[i] != pattern_byte(seed, i)) return 0;
    }
    return 1;
}

/* malloc that ends the job instead of returning NULL. */
static inline void* allocate(size_t size_bytes) {
    void* block = malloc(size_bytes == 0 ? 1 : size_bytes);
    CHECK(block != NULL);
    return block;
}

static int world_rank = -1;
static int world_size = 0;

static inline void begin(int* argc, char*** argv) {
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
}

/* Waits until every rank is here, so that "passed" means passed everywhere; rank 0 says so. */
static inline int end(const char* name) {
    int one = 1, sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == world_size);
    if (world_rank == 0) printf("%s: passed on %d ranks\n", name, world_size);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}

#endif
