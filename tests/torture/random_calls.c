/* MPI calls of every kind in a random order, the same for every rank. What arrives is checked; what
 * a rank has seen of order and time is printed as a digest.
 *
 * Usage: random_calls <seed> <rounds> <kinds> [approximate] [kernels] [trace]
 *
 * `kinds` is a sum of powers of two: which kinds of calls take part, in the order of `kinds[]`.
 * With `approximate`, numbers may arrive with errors, and what arrives is part of the digest.
 * With `kernels`, three rounds of eight are the program's kernel (kumihimo/hint.h).
 * With `trace` each rank prints its digest after every round.
 */
#include <kumihimo/hint.h>
#include <pthread.h>

#include "groups.h"
#include "started.h"
#include "wildcards.h"
#include "windows.h"

/* An exchange that goes on while others take place. */
static struct {
    int is_under_way, round, from, bytes;
    MPI_Request requests[2];
    unsigned char out[kMostBytes], in[kMostBytes];
} pending;

static MPI_Comm half, alone;
static int level;

static void end_pending(int by_test) {
    int done = !pending.is_under_way;
    if (done) return;
    while (by_test && !done) MPI_Testall(2, pending.requests, &done, MPI_STATUSES_IGNORE);
    if (!done) MPI_Waitall(2, pending.requests, MPI_STATUSES_IGNORE);
    CHECK(pattern_matches(pending.in, (size_t)pending.bytes,
                          name_of(pending.round, pending.from, 255)));
    pending.is_under_way = 0;
}

/* Ends the pending exchange, if there is one, and else begins one. */
static void across_rounds(int round) {
    const int distance = (int)shared((uint32_t)world_size), bytes = draw_bytes();
    const int receives_first = shared(2) == 0, by_test = shared(3) == 0;
    const int to = (world_rank + distance) % world_size;
    if (pending.is_under_way) {
        end_pending(by_test);
        return;
    }
    pending.is_under_way = 1;
    pending.round = round;
    pending.from = (world_rank + world_size - distance) % world_size;
    pending.bytes = bytes;
    pattern_fill(pending.out, (size_t)bytes, name_of(round, world_rank, 255));
    for (int i = 0; i < 2; ++i) {
        if ((i == 0) == receives_first)
            MPI_Irecv(pending.in, bytes, MPI_BYTE, pending.from, kAcrossRounds, MPI_COMM_WORLD,
                      &pending.requests[i]);
        else
            MPI_Isend(pending.out, bytes, MPI_BYTE, to, kAcrossRounds, MPI_COMM_WORLD,
                      &pending.requests[i]);
    }
}

static void clocks(int round) {
    (void)round;
    see_clock();
    if (chance(2)) sleep_for((long)draw(&private_state, 30000));
    see_clock();
}

static void of_any_tag(int round) { any_tag(round, alone); }

static void* work_and_exchange(void* argument) {
    sleep_for(3000);
    if (level >= MPI_THREAD_SERIALIZED) exchange(*(int*)argument);
    return NULL;
}

/* Another thread sleeps and communicates, and this one waits for it. */
static void in_a_thread(int round) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, work_and_exchange, &round) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    see_clock();
}

#if MPI_VERSION < 4
static void partitioned(int round) { exchange(round); }
#endif

typedef void (*Kind)(int round);

/* Those from `kFirstOnWorld` on take place on all ranks, the others on some as well. */
static const Kind kinds[] = {
    exchange,
    token,
    halo,
    ready_send,
    strided,
    large,
    partitioned,
    gather_anyhow,
    everyone_anyhow,
    claimed,
    cancelled,
    collective,
    large_collective,
    collective_beside,
    neighbourhood,
    new_communicator,
    started_collective,
    two_sides,
    over_a_graph,
    clocks,
    in_a_thread,
    of_any_tag,
    across_rounds,
    under_fence,
    under_lock,
    by_post_and_start,
    by_polling,
    many_under_lock,
    by_request,
    new_window,
};
enum { kKinds = sizeof kinds / sizeof kinds[0], kFirstOnWorld = 21, kFirstOnWindow = 23 };

static void use(MPI_Comm which) {
    comm = which;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
}

static void print_digests(void) {
    uint64_t digests[kMostRanks];
    MPI_Gather(&digest, 1, MPI_UINT64_T, digests, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int i = 0; world_rank == 0 && i < world_size; ++i) {
        printf("rank %d saw %016llx\n", i, (unsigned long long)digests[i]);
    }
}

int main(int argc, char** argv) {
    enum { kBufferBytes = 1 << 24 };
    int chosen[kKinds], count = 0, buffer_bytes = 0, has_kernels = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    CHECK(argc >= 4 && argc <= 7 && world_size > 1 && world_size <= kMostRanks);
    shared_state = (uint64_t)atoll(argv[1]);
    private_state = shared_state * 31 + (uint64_t)world_rank;
    const int rounds = atoi(argv[2]);
    for (int i = 4; i < argc; ++i) {
        if (strcmp(argv[i], "approximate") == 0)
            is_approximate = 1;
        else if (strcmp(argv[i], "kernels") == 0)
            has_kernels = 1;
        else
            is_traced = 1;
    }
    start_s = MPI_Wtime();
    const unsigned long mask = strtoul(argv[3], NULL, 0);
    CHECK(rounds <= kMostRounds && mask >> kKinds == 0 && mask != 0);
    for (int i = 0; i < kKinds; ++i) {
        if (mask >> i & 1) chosen[count++] = i;
    }
    void* buffer = allocate(kBufferBytes);
    MPI_Buffer_attach(buffer, kBufferBytes);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, 0, &half);
    MPI_Comm_dup(MPI_COMM_WORLD, &alone);
    if (mask >> kFirstOnWindow != 0) open_window();
    for (int round = 0; round < rounds; ++round) {
        const int kind = chosen[shared((uint32_t)count)];
        const int is_half = shared(4) == 0 && world_size % 2 == 0 && world_size > 2;
        use(is_half && kind < kFirstOnWorld ? half : MPI_COMM_WORLD);
        if (has_kernels && round % 8 == 2) HINT("IN_KERNEL", "1");
        if (has_kernels && round % 8 == 5) HINT("IN_KERNEL", "0");
        do_something();
        kinds[kind](round);
        if (is_traced) {
            fprintf(stderr, "round %d kind %d rank %d saw %016llx\n", round, kind, world_rank,
                    (unsigned long long)digest);
        }
    }
    use(MPI_COMM_WORLD);
    end_pending(0);
    see_clock();
    print_digests();
    if (mask >> kFirstOnWindow != 0) MPI_Win_free(&window);
    MPI_Comm_free(&half);
    MPI_Comm_free(&alone);
    MPI_Buffer_detach(&buffer, &buffer_bytes);
    free(buffer);
    return end("random_calls");
}
