/* Sums over all ranks, then ring shifts in a region that a hint names, twice.
 *
 * Usage: services [SHIFTS [BYTES [WHAT]]], WHAT of: sums (the default), all (MPI_Alltoall),
 * none (shifts alone). */
#include <kumihimo/hint.h>

#include "check.h"

enum { kRounds = 2, kSums = 10, kWords = 8, kMostRanks = 64 };

static void sum_up(void) {
    int64_t own[kWords], sum[kWords];
    for (int i = 0; i < kWords; ++i) own[i] = world_rank + i;
    MPI_Allreduce(own, sum, kWords, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < kWords; ++i)
        CHECK(sum[i] == (int64_t)world_size * (world_size - 1) / 2 + (int64_t)i * world_size);
}

static void exchange(void) {
    int own[kMostRanks], others[kMostRanks];
    CHECK(world_size <= kMostRanks);
    for (int i = 0; i < world_size; ++i) own[i] = 100 * world_rank + i;
    MPI_Alltoall(own, 1, MPI_INT, others, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < world_size; ++i) CHECK(others[i] == 100 * i + world_rank);
}

static void shift(char* own, char* received, int size_bytes, int round) {
    const int previous = (world_rank + world_size - 1) % world_size;
    const int next = (world_rank + 1) % world_size;
    memset(own, world_rank + round, (size_t)size_bytes);
    MPI_Sendrecv(own, size_bytes, MPI_BYTE, next, 7, received, size_bytes, MPI_BYTE, previous, 7,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < size_bytes; ++i) CHECK(received[i] == (char)(previous + round));
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const int shifts = argc > 1 ? atoi(argv[1]) : 200;
    const int size_bytes = argc > 2 ? atoi(argv[2]) : 10240;
    const int all = argc > 3 && strcmp(argv[3], "all") == 0;
    const int none = argc > 3 && strcmp(argv[3], "none") == 0;
    char* own = (char*)allocate((size_t)size_bytes);
    char* received = (char*)allocate((size_t)size_bytes);
    CHECK(HINT("IN_KERNEL", "2") == KUMI_HINT_OK || HINT("IN_KERNEL", "2") == KUMI_HINT_UNKNOWN);
    CHECK(HINT("IN_THE_KERNEL", "1") == KUMI_HINT_UNKNOWN);
    if (none) {
        CHECK(HINT("REPEATED", "1") == KUMI_HINT_OK);
        CHECK(HINT("MEMORY_BUDGET", "17 MiB") == KUMI_HINT_OK);
    }
    /* An end without a beginning changes nothing. */
    CHECK(HINT("IN_KERNEL", "0") == KUMI_HINT_OK);
    for (int round = 0; round < kRounds; ++round) {
        for (int i = 0; i < kSums && !none; ++i) {
            if (all)
                exchange();
            else
                sum_up();
        }
        CHECK(HINT("IN_KERNEL", "1") == KUMI_HINT_OK);
        CHECK(HINT("IN_KERNEL", "1") == KUMI_HINT_OK);
        CHECK(HINT("IN_KERNEL", "0") == KUMI_HINT_OK);
        for (int i = 0; i < shifts; ++i) shift(own, received, size_bytes, round + i);
        CHECK(HINT("IN_KERNEL", "0") == KUMI_HINT_OK);
    }
    free(own);
    free(received);
    if (world_rank == 0) printf("services: all is as it must be\n");
    MPI_Finalize();
    return 0;
}
