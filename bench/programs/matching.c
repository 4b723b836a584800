/* What a receive takes on rank 1 while `depth` other entries wait in its queue, on two processes.
 * Arguments: the deepest queue; seconds for each cell; and the bytes that are walked for `cold`.
 * Each line of the output has side, names, position, state, depth and nanoseconds, as those of
 * bench/matching_bench.cpp, a read of the clock included: the mean of the quicker half, which
 * leaves out when other programs had the processor, and tells times apart that differ by less than
 * a step of the clock.
 *
 * Unexpected: the message is in the queue when MPI_Recv is timed. Posted: the message has come, but
 * no call of MPI has seen it, when MPI_Wait is timed; a flag in memory that both processes have
 * says that it was sent. What was matched is inserted again.
 *
 * Receives of any tag take the oldest message of their communicator. So the newest one is measured
 * among entries of another communicator, and a random one cannot be. */
#define _GNU_SOURCE
#include <sched.h>
#include <time.h>

#include "../../examples/apps/program.h"

enum { kExact, kAnySource, kAnyTag };
enum { kOldest, kNewest, kRandom };
enum { kFresh, kAged, kCold };
enum { kMostSamples = 2001 };
static const char* const kNames[] = {"exact", "any_source", "any_tag"};
static const char* const kPositions[] = {"oldest", "newest", "random"};
static const char* const kStates[] = {"fresh", "aged", "cold"};

typedef struct {
    int rank;
    MPI_Comm data, others, tokens;
    volatile int* sent; /* In memory of both: the number of messages of the cell so far. */
    double seconds;
    long flushed_bytes;
    char* flushed;
    MPI_Request* requests;
    int* values;
    int* order; /* Keys, in a ring: the oldest is at `begin`. */
} Side;

typedef struct {
    int is_posted, names, position, state;
    int depth;
} Cell;

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static unsigned random_below(unsigned limit) {
    static unsigned long long state = 1;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)((state >> 33) % limit);
}

/* Entry `key` lies in this communicator; the last one is what is taken if it is the newest. */
static MPI_Comm comm_of(const Side* side, const Cell* cell, int key) {
    const int is_other = cell->names == kAnyTag && cell->position == kNewest && key < cell->depth;
    return is_other ? side->others : side->data;
}
static int source_of(const Cell* cell) { return cell->names == kAnySource ? MPI_ANY_SOURCE : 0; }
static int tag_of(const Cell* cell, int key) { return cell->names == kAnyTag ? MPI_ANY_TAG : key; }

static void post(const Side* side, const Cell* cell, int key) {
    MPI_Irecv(&side->values[key], 1, MPI_INT, source_of(cell), tag_of(cell, key),
              comm_of(side, cell, key), &side->requests[key]);
}
static void receive(const Side* side, const Cell* cell, int key) {
    MPI_Recv(&side->values[key], 1, MPI_INT, source_of(cell), tag_of(cell, key),
             comm_of(side, cell, key), MPI_STATUS_IGNORE);
}
static void check(const Side* side, int key) {
    if (side->values[key] != key) MPI_Abort(MPI_COMM_WORLD, 1);
    side->values[key] = -1;
}

/* Rank 0: fills the queue of unexpected messages, or empties that of receives. */
static void send_all(const Side* side, const Cell* cell, const int* order) {
    for (int i = 0; i <= cell->depth; ++i) {
        const int key = order == NULL ? i : order[i];
        MPI_Send(&key, 1, MPI_INT, 1, key, comm_of(side, cell, key));
    }
}

/* Rank 0: sends the messages whose keys rank 1 names, until it names a negative one. */
static void serve(const Side* side, const Cell* cell) {
    int key = 0;
    if (!cell->is_posted) {
        send_all(side, cell, NULL);
        MPI_Send(NULL, 0, MPI_INT, 1, 0, side->tokens);
    }
    for (int sent = 1;; ++sent) {
        MPI_Recv(&key, 1, MPI_INT, 1, 0, side->tokens, MPI_STATUS_IGNORE);
        if (key < 0) break;
        MPI_Send(&key, 1, MPI_INT, 1, key, comm_of(side, cell, key));
        *side->sent = sent;
        if (!cell->is_posted) MPI_Send(NULL, 0, MPI_INT, 1, 0, side->tokens);
    }
    if (!cell->is_posted) return;
    MPI_Recv(side->order, cell->depth + 1, MPI_INT, 1, 0, side->tokens, MPI_STATUS_IGNORE);
    send_all(side, cell, side->order);
}
static void ask_for(const Side* side, int key) { MPI_Send(&key, 1, MPI_INT, 0, 0, side->tokens); }

/* Asks for a message; it is there, but not yet taken from the queue, when this returns. */
static void await(const Side* side, const Cell* cell, int key, int number) {
    ask_for(side, key);
    while (cell->is_posted && *side->sent != number) sched_yield();
    if (!cell->is_posted) MPI_Recv(NULL, 0, MPI_INT, 0, 0, side->tokens, MPI_STATUS_IGNORE);
}

static void flush(const Side* side) {
    for (long at = 0; at < side->flushed_bytes; at += 64) ++side->flushed[at];
}

static int smaller_first(const void* one, const void* other) {
    const double a = *(const double*)one, b = *(const double*)other;
    return (a > b) - (a < b);
}

/* Takes the entry at `place` of the order and inserts it again; returns how long taking takes. */
static double exchange(const Side* side, const Cell* cell, int begin, int place, int number) {
    const int keys = cell->depth + 1;
    const int key = side->order[(begin + place) % keys];
    if (cell->is_posted) await(side, cell, key, number);
    if (cell->state == kCold) flush(side);
    const double start_ns = now_ns();
    if (cell->is_posted)
        MPI_Wait(&side->requests[key], MPI_STATUS_IGNORE);
    else
        receive(side, cell, key);
    const double passed_ns = now_ns() - start_ns;
    check(side, key);
    if (cell->is_posted)
        post(side, cell, key);
    else
        await(side, cell, key, number);
    /* The others move up; the oldest one only moves the begin of the ring. */
    if (place == 0) return passed_ns;
    for (int at = place; at + 1 < keys; ++at)
        side->order[(begin + at) % keys] = side->order[(begin + at + 1) % keys];
    side->order[(begin + keys - 1) % keys] = key;
    return passed_ns;
}

/* Rank 1: takes everything, the oldest entry first, which is quick also in a list. */
static void empty(const Side* side, const Cell* cell, int begin) {
    const int keys = cell->depth + 1;
    int* const sorted = (int*)allocate((size_t)keys * sizeof(int));
    for (int i = 0; i < keys; ++i) sorted[i] = side->order[(begin + i) % keys];
    ask_for(side, -1);
    if (cell->is_posted) {
        MPI_Send(sorted, keys, MPI_INT, 0, 0, side->tokens);
        MPI_Waitall(keys, side->requests, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; !cell->is_posted && i < keys; ++i) receive(side, cell, sorted[i]);
    free(sorted);
}

/* The mean of the quicker half, without its quickest tenth. */
static double typical(double* samples, int count) {
    qsort(samples, (size_t)count, sizeof(double), smaller_first);
    const int first = count / 20, end = count / 2 + 1;
    double sum = 0;
    for (int i = first; i < end; ++i) sum += samples[i];
    return sum / (end - first);
}

/* Rank 1. */
static void measure(const Side* side, const Cell* cell) {
    static double samples[kMostSamples];
    const int keys = cell->depth + 1;
    const int has_random_past = cell->state != kFresh && cell->names != kAnyTag;
    const double limit_ns = side->seconds * 1e9;
    int begin = 0, count = 0, number = 0;
    for (int key = 0; key < keys; ++key) {
        side->order[key] = key;
        if (cell->is_posted) post(side, cell, key);
    }
    if (!cell->is_posted) MPI_Recv(NULL, 0, MPI_INT, 0, 0, side->tokens, MPI_STATUS_IGNORE);
    /* The past ends early if it takes too long, which it does in long lists. */
    double start_ns = now_ns();
    for (int i = 0; has_random_past && i < 4 * keys && now_ns() - start_ns < limit_ns; ++i) {
        Cell past = *cell;
        past.state = kAged;
        exchange(side, &past, begin, (int)random_below((unsigned)keys), ++number);
    }
    start_ns = now_ns();
    while (count < kMostSamples && (count < 5 || now_ns() - start_ns < limit_ns)) {
        const int place = cell->position == kOldest   ? 0
                          : cell->position == kNewest ? keys - 1
                                                      : (int)random_below((unsigned)keys);
        samples[count++] = exchange(side, cell, begin, place, ++number);
        if (place == 0) begin = (begin + 1) % keys;
    }
    empty(side, cell, begin);
    printf("%s %s %s %s %d %.1f\n", cell->is_posted ? "posted" : "unexpected", kNames[cell->names],
           kPositions[cell->position], kStates[cell->state], cell->depth, typical(samples, count));
    fflush(stdout);
}

static void run(const Side* side, const Cell* cell) {
    if (cell->names == kAnyTag && cell->position == kRandom) return;
    *side->sent = 0;
    MPI_Barrier(side->tokens);
    if (side->rank == 0)
        serve(side, cell);
    else
        measure(side, cell);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int deepest = (int)argument(argc, argv, 1, 256);
    Side side = {.seconds = argc > 2 ? atof(argv[2]) : 0.01,
                 .flushed_bytes = argument(argc, argv, 3, 1 << 20)};
    MPI_Comm_rank(MPI_COMM_WORLD, &side.rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &side.data);
    MPI_Comm_dup(MPI_COMM_WORLD, &side.others);
    MPI_Comm_dup(MPI_COMM_WORLD, &side.tokens);
    side.flushed = (char*)allocate((size_t)side.flushed_bytes);
    side.requests = (MPI_Request*)allocate((size_t)(deepest + 1) * sizeof(MPI_Request));
    side.values = (int*)allocate((size_t)(deepest + 1) * sizeof(int));
    side.order = (int*)allocate((size_t)(deepest + 1) * sizeof(int));
    MPI_Win window;
    int* shared;
    MPI_Aint size_bytes;
    int unit_bytes;
    MPI_Win_allocate_shared(side.rank == 0 ? 64 : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &shared,
                            &window);
    MPI_Win_shared_query(window, 0, &size_bytes, &unit_bytes, &shared);
    side.sent = shared;
    static const int depths[] = {0, 1, 16, 256, 4096, 65536};
    for (size_t i = 0; i < sizeof depths / sizeof *depths && depths[i] <= deepest; ++i)
        for (int cell = 0; cell < 2 * 3 * 3 * 3; ++cell) {
            const Cell one = {cell / 27 == 0, cell / 9 % 3, cell / 3 % 3, cell % 3, depths[i]};
            run(&side, &one);
        }
    MPI_Win_free(&window);
    free(side.flushed);
    free(side.requests);
    free(side.values);
    free(side.order);
    MPI_Comm_free(&side.data);
    MPI_Comm_free(&side.others);
    MPI_Comm_free(&side.tokens);
    MPI_Finalize();
    return 0;
}
