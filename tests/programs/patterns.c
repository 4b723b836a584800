/* Communication patterns whose virtual time has a closed form. Prints each rank's virtual clock in
 * picoseconds when the rank is done; no collective call disturbs the times.
 *
 * Usage: patterns <pattern> <bytes> [rounds]
 *   ping_pong   ranks 0 and 1, there and back, `rounds` times
 *   one_way     rank 0 sends once to rank 1
 *   ring        a token goes round once, starting and ending at rank 0
 *   broadcast   a binomial tree from rank 0, the farthest rank first
 *   bcast_call  MPI_Bcast from rank 0
 *   pairs       every rank of the lower half sends to its partner in the upper half
 *   incast      every other rank sends to rank 0, which receives in order of ranks
 *   waitall     the same, but rank 0 posts all receives at once, the last rank's first
 *   exchange    every rank sends to all others, the next one first, and waits for what they send
 *   stream      rank 0 sends `rounds` messages to rank 1
 */
#include <kumihimo/compute.h>
#include <math.h>

#include "check.h"

enum { kMostRanks = 64 };

static char* buffer; /* With room for a message of each rank. */
static int size_bytes;
static int rounds = 1;

static void send_to(int rank) { MPI_Send(buffer, size_bytes, MPI_BYTE, rank, 1, MPI_COMM_WORLD); }

static void receive_from(int rank) {
    MPI_Recv(buffer, size_bytes, MPI_BYTE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void ping_pong(void) {
    if (world_rank > 1) return;
    for (int i = 0; i < rounds; ++i) {
        if (world_rank == 0) send_to(1);
        receive_from(1 - world_rank);
        if (world_rank == 1) send_to(0);
    }
}

static void one_way(void) {
    if (world_rank == 0) send_to(1);
    if (world_rank == 1) receive_from(0);
}

static void ring(void) {
    if (world_rank > 0) receive_from(world_rank - 1);
    send_to((world_rank + 1) % world_size);
    if (world_rank == 0) receive_from(world_size - 1);
}

static void broadcast(void) {
    int mask = 1;
    while (mask < world_size && !(world_rank & mask)) mask <<= 1;
    if (world_rank != 0) receive_from(world_rank - mask);
    for (mask >>= 1; mask > 0; mask >>= 1) {
        if (world_rank + mask < world_size) send_to(world_rank + mask);
    }
}

static void bcast_call(void) { MPI_Bcast(buffer, size_bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }

static void pairs(void) {
    const int half = world_size / 2;
    if (world_rank < half) {
        send_to(world_rank + half);
    } else {
        receive_from(world_rank - half);
    }
}

static void incast(void) {
    if (world_rank > 0) send_to(0);
    for (int i = 1; world_rank == 0 && i < world_size; ++i) receive_from(i);
}

static void begin_receive(int rank, int place, MPI_Request* requests) {
    char* own = buffer + (size_t)place * (size_t)size_bytes;
    MPI_Irecv(own, size_bytes, MPI_BYTE, rank, 1, MPI_COMM_WORLD, &requests[place]);
}

static void waitall(void) {
    MPI_Request requests[kMostRanks];
    if (world_rank > 0) {
        send_to(0);
        return;
    }
    for (int i = 1; i < world_size; ++i) begin_receive(world_size - i, i - 1, requests);
    MPI_Waitall(world_size - 1, requests, MPI_STATUSES_IGNORE);
}

static void exchange(void) {
    MPI_Request requests[kMostRanks];
    for (int i = 1; i < world_size; ++i)
        begin_receive((world_rank + world_size - i) % world_size, i - 1, requests);
    for (int i = 1; i < world_size; ++i) send_to((world_rank + i) % world_size);
    MPI_Waitall(world_size - 1, requests, MPI_STATUSES_IGNORE);
}

static void stream(void) {
    for (int i = 0; i < rounds && world_rank == 0; ++i) send_to(1);
    for (int i = 0; i < rounds && world_rank == 1; ++i) receive_from(0);
}

static const struct {
    const char* name;
    void (*run)(void);
} kPatterns[] = {{"ping_pong", ping_pong}, {"one_way", one_way},       {"ring", ring},
                 {"broadcast", broadcast}, {"bcast_call", bcast_call}, {"pairs", pairs},
                 {"incast", incast},       {"waitall", waitall},       {"exchange", exchange},
                 {"stream", stream}};

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(argc >= 3 && world_size <= kMostRanks);
    size_bytes = atoi(argv[2]);
    if (argc > 3) rounds = atoi(argv[3]);
    const size_t room = (size_t)size_bytes * (size_t)world_size;
    buffer = (char*)allocate(room);
    memset(buffer, 0, room);
    void (*run)(void) = NULL;
    for (size_t i = 0; i < sizeof kPatterns / sizeof *kPatterns; ++i) {
        if (strcmp(argv[1], kPatterns[i].name) == 0) run = kPatterns[i].run;
    }
    CHECK(run != NULL);
    run();
    printf("rank %d clock_ps %lld\n", world_rank, llround(kumi_virtual_seconds() * 1e12));
    fflush(stdout);
    free(buffer);
    MPI_Finalize();
    return 0;
}
