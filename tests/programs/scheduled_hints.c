/* Collective calls outside of and in regions that the hint IN_KERNEL names. What each block must
 * hold is known on both sides.
 *
 * scheduled_hints BYTES        two calls outside, three in nested regions, one outside, two in a
 *                              region again; of MPI_Alltoall, MPI_Allreduce and MPI_Barrier each
 * scheduled_hints BYTES apart  rank 3 alone is in a region */
#include <kumihimo/hint.h>

#include "check.h"

static void call_all(int size_bytes, int round) {
    char* out = allocate((size_t)world_size * (size_t)size_bytes);
    char* in = allocate((size_t)world_size * (size_t)size_bytes);
    for (int i = 0; i < world_size; ++i)
        pattern_fill(out + (size_t)i * (size_t)size_bytes, (size_t)size_bytes,
                     (uint64_t)(round * 10000 + world_rank * 100 + i));
    MPI_Alltoall(out, size_bytes, MPI_BYTE, in, size_bytes, MPI_BYTE, MPI_COMM_WORLD);
    for (int i = 0; i < world_size; ++i)
        CHECK(pattern_matches(in + (size_t)i * (size_t)size_bytes, (size_t)size_bytes,
                              (uint64_t)(round * 10000 + i * 100 + world_rank)));
    free(out);
    free(in);
    const int own = world_rank + round;
    int sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == world_size * (world_size - 1) / 2 + world_size * round);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void call_all_in_region(int size_bytes, int rounds, int first) {
    HINT("IN_KERNEL", "1");
    for (int i = 0; i < rounds; ++i) call_all(size_bytes, first + i);
    HINT("IN_KERNEL", "0");
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const int size_bytes = argc > 1 ? atoi(argv[1]) : 100;
    const int apart = argc > 2 && strcmp(argv[2], "apart") == 0;
    if (apart) {
        if (world_rank == 3) HINT("IN_KERNEL", "1");
        call_all(size_bytes, 0);
    } else {
        call_all(size_bytes, 1);
        call_all(size_bytes, 2);
        HINT("IN_KERNEL", "1");
        call_all(size_bytes, 3);
        call_all_in_region(size_bytes, 1, 4);
        call_all(size_bytes, 5);
        HINT("IN_KERNEL", "0");
        call_all(size_bytes, 6);
        call_all_in_region(size_bytes, 2, 7);
    }
    return end("scheduled_hints");
}
