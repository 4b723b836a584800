/* Collective calls outside of and in regions that the hint IN_KERNEL names. What each block must
 * hold is known on both sides.
 *
 * scheduled_hints BYTES        two calls outside, three in nested regions, one outside, two in a
 *                              region again; of MPI_Alltoall, MPI_Allreduce and MPI_Barrier each
 * scheduled_hints BYTES apart  rank 3 alone is in a region
 * scheduled_hints BYTES threads  as the first, but another thread is in MPI before each hint
 * scheduled_hints BYTES callback  as the first, but hints are given by a reduction operation */
#include <kumihimo/hint.h>
#include <pthread.h>

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

/* Whether another thread calls MPI before each hint, or a reduction operation gives it. */
static int has_threads, in_callback;

static void* probe(void* nothing) {
    int is_there;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    CHECK(!is_there);
    return nothing;
}

/* What the reduction operation has yet to give. */
static const char* value_to_give;

static void give_hint(void* in, void* in_out, int* length, MPI_Datatype* type) {
    (void)in, (void)in_out, (void)length, (void)type;
    if (value_to_give != NULL) HINT("IN_KERNEL", value_to_give);
    value_to_give = NULL;
}

/* Rank 0 may have nothing to reduce. */
static void scan_with_hint(const char* value) {
    int in = 0, out = 0;
    MPI_Op operation;
    MPI_Op_create(give_hint, 1, &operation);
    value_to_give = value;
    MPI_Scan(&in, &out, 1, MPI_INT, operation, MPI_COMM_WORLD);
    CHECK(world_rank == 0 || value_to_give == NULL);
    if (value_to_give != NULL) HINT("IN_KERNEL", value);
    MPI_Op_free(&operation);
}

static void enter_region(const char* value) {
    pthread_t thread;
    if (in_callback) {
        scan_with_hint(value);
        return;
    }
    if (has_threads) {
        CHECK(pthread_create(&thread, NULL, probe, NULL) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
    }
    HINT("IN_KERNEL", value);
}

static void call_all_in_region(int size_bytes, int rounds, int first) {
    enter_region("1");
    for (int i = 0; i < rounds; ++i) call_all(size_bytes, first + i);
    enter_region("0");
}

int main(int argc, char** argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    const int size_bytes = argc > 1 ? atoi(argv[1]) : 100;
    const int apart = argc > 2 && strcmp(argv[2], "apart") == 0;
    has_threads = argc > 2 && strcmp(argv[2], "threads") == 0;
    in_callback = argc > 2 && strcmp(argv[2], "callback") == 0;
    CHECK(!has_threads || level >= MPI_THREAD_SERIALIZED);
    if (apart) {
        if (world_rank == 3) HINT("IN_KERNEL", "1");
        call_all(size_bytes, 0);
    } else {
        call_all(size_bytes, 1);
        call_all(size_bytes, 2);
        enter_region("1");
        call_all(size_bytes, 3);
        call_all_in_region(size_bytes, 1, 4);
        call_all(size_bytes, 5);
        enter_region("0");
        call_all(size_bytes, 6);
        call_all_in_region(size_bytes, 2, 7);
    }
    return end("scheduled_hints");
}
