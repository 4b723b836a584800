/* All kinds of MPI traffic in a random order, the same for every rank. What arrives is checked.
 *
 * Usage: random_traffic <seed> <rounds>
 *
 * With every fourth seed some collectives go on in the background.
 */
#include <kumihimo/compute.h>

#include "check.h"

enum { kMostRanks = 64, kMostNeighbours = 4, kMostBytes = 40000 };

/* An exchange that goes on while others take place. */
static struct {
    int is_under_way, round, from, size;
    unsigned char out[kMostBytes], in[kMostBytes];
    MPI_Request requests[2];
} pending;

static MPI_Comm half; /* The ranks of odd, or even, numbers. */

static uint64_t shared_state;  /* Drawn from in step by all ranks. */
static uint64_t private_state; /* Of this rank alone. */
static unsigned char out[kMostNeighbours][kMostBytes];
static unsigned char in[kMostNeighbours][kMostBytes];

static uint32_t draw(uint64_t* state, uint32_t below) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}
static uint32_t shared(uint32_t below) { return draw(&shared_state, below); }
static int chance(uint32_t in_all) { return draw(&private_state, in_all) == 0; }

/* The rank that comes `distance` after this one, or, if negative, before. */
static int rank_at(int distance) {
    return (world_rank + world_size + distance % world_size) % world_size;
}

/* Most are small; some are larger than what goes eagerly. */
static int draw_size(void) {
    const uint32_t kind = shared(8);
    if (kind == 0) return 0;
    return (int)(kind == 1 ? shared(kMostBytes) : shared(300));
}

static uint64_t name_of(int round, int source, int place) {
    return ((uint64_t)round << 20) + ((uint64_t)source << 4) + (uint64_t)place;
}

static void check_in(int place, int size, int round, int source, int source_place) {
    CHECK(pattern_matches(in[place], (size_t)size, name_of(round, source, source_place)));
}

/* Something that differs from rank to rank and sends nothing. */
static void do_something(void) {
    if (chance(4)) kumi_compute_seconds(1e-7 * draw(&private_state, 100));
    if (chance(10)) CHECK(MPI_Wtime() >= 0.0);
    if (chance(10)) {
        int flag = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, 32767, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        CHECK(!flag);
    }
}

static void exchange(int round) {
    const int distance = 1 + (int)shared((uint32_t)world_size);
    const int to = rank_at(distance);
    const int from = rank_at(-distance);
    const int size = draw_size();
    pattern_fill(out[0], (size_t)size, name_of(round, world_rank, 0));
    MPI_Sendrecv(out[0], size, MPI_BYTE, to, round, in[0], size, MPI_BYTE, from, round,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_in(0, size, round, from, 0);
}

/* A token goes a part of the way round. */
static void token(int round) {
    const int first = (int)shared((uint32_t)world_size), size = draw_size();
    const int hops = 1 + (int)shared((uint32_t)world_size - 1);
    const int is_synchronous = shared(3) == 0;
    const int place = (world_rank + world_size - first) % world_size;
    pattern_fill(out[0], (size_t)size, name_of(round, world_rank, 0));
    if (place > 0 && place <= hops) {
        const int from = rank_at(-1);
        MPI_Recv(in[0], size, MPI_BYTE, from, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check_in(0, size, round, from, 0);
        do_something();
    }
    if (place < hops) {
        const int to = rank_at(1);
        if (is_synchronous)
            MPI_Ssend(out[0], size, MPI_BYTE, to, round, MPI_COMM_WORLD);
        else
            MPI_Send(out[0], size, MPI_BYTE, to, round, MPI_COMM_WORLD);
    }
}

/* Starts what was made with MPI_Send_init, MPI_Recv_init or the like, all at once or not. */
static void start_persistent(int neighbours, MPI_Request* requests) {
    if (chance(2)) {
        MPI_Startall(2 * neighbours, requests);
        return;
    }
    for (int i = 0; i < neighbours; ++i) MPI_Start(&requests[i]);
    do_something();
    MPI_Startall(neighbours, requests + neighbours);
}

/* Each rank sends to those 1, 2, .. behind it, and waits for its requests in one of four ways. */
static void halo(int round) {
    MPI_Request requests[2 * kMostNeighbours];
    const int neighbours = 1 + (int)shared(kMostNeighbours), size = draw_size();
    const uint32_t way = shared(4);
    const int may_be_synchronous = shared(2) == 0, is_persistent = shared(3) == 0;
    for (int i = 0; i < neighbours; ++i) {
        const int from = rank_at(-(i + 1));
        (is_persistent ? MPI_Recv_init : MPI_Irecv)(in[i], size, MPI_BYTE, from, round * 8 + i,
                                                    MPI_COMM_WORLD, &requests[i]);
    }
    do_something();
    for (int i = 0; i < neighbours; ++i) {
        const int to = rank_at(i + 1);
        pattern_fill(out[i], (size_t)size, name_of(round, world_rank, i));
        if (may_be_synchronous && chance(4))
            (is_persistent ? MPI_Ssend_init : MPI_Issend)(out[i], size, MPI_BYTE, to, round * 8 + i,
                                                          MPI_COMM_WORLD,
                                                          &requests[neighbours + i]);
        else
            (is_persistent ? MPI_Send_init : MPI_Isend)(out[i], size, MPI_BYTE, to, round * 8 + i,
                                                        MPI_COMM_WORLD, &requests[neighbours + i]);
    }
    if (is_persistent) start_persistent(neighbours, requests);
    do_something();
    if (way == 0) {
        MPI_Waitall(2 * neighbours, requests, MPI_STATUSES_IGNORE);
    } else if (way == 1) {
        for (int i = 2 * neighbours - 1; i >= 0; --i) {
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
            do_something();
        }
    } else if (way == 2) {
        for (int i = 0; i < 2 * neighbours; ++i) {
            int which = 0;
            MPI_Waitany(2 * neighbours, requests, &which, MPI_STATUS_IGNORE);
            do_something();
        }
    } else {
        int done = 0;
        while (!done) MPI_Testall(2 * neighbours, requests, &done, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; is_persistent && i < 2 * neighbours; ++i) MPI_Request_free(&requests[i]);
    for (int i = 0; i < neighbours; ++i) {
        check_in(i, size, round, rank_at(-(i + 1)), i);
    }
}

/* All send to one rank, which receives in the order of arrival. */
static void gather_anyhow(int round) {
    const int root = (int)shared((uint32_t)world_size), size = draw_size();
    const uint32_t how = shared(3);
    pattern_fill(out[0], (size_t)size, name_of(round, world_rank, 0));
    if (world_rank != root) {
        MPI_Send(out[0], size, MPI_BYTE, root, round, MPI_COMM_WORLD);
        return;
    }
    for (int i = 1; i < world_size; ++i) {
        MPI_Status status;
        int source = MPI_ANY_SOURCE, found = 0;
        if (how == 1) {
            MPI_Probe(MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &status);
            source = status.MPI_SOURCE;
        }
        while (how == 2 && !found) {
            MPI_Iprobe(MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &found, &status);
            source = status.MPI_SOURCE;
        }
        MPI_Recv(in[0], size, MPI_BYTE, source, round, MPI_COMM_WORLD, &status);
        check_in(0, size, round, status.MPI_SOURCE, 0);
        do_something();
    }
}

static void end_pending(int by_test) {
    int done = !pending.is_under_way;
    if (done) return;
    while (by_test && !done) MPI_Testall(2, pending.requests, &done, MPI_STATUSES_IGNORE);
    if (!done) MPI_Waitall(2, pending.requests, MPI_STATUSES_IGNORE);
    CHECK(pattern_matches(pending.in, (size_t)pending.size,
                          name_of(pending.round, pending.from, 15)));
    pending.is_under_way = 0;
}

/* Ends the pending exchange, if there is one, and else begins one. */
static void turn_pending(int round) {
    const int distance = (int)shared((uint32_t)world_size), size = draw_size();
    const int receives_first = shared(2) == 0, by_test = shared(3) == 0;
    const int to = rank_at(distance);
    if (pending.is_under_way) {
        end_pending(by_test);
        return;
    }
    pending.is_under_way = 1;
    pending.round = round;
    pending.from = rank_at(-distance);
    pending.size = size;
    pattern_fill(pending.out, (size_t)size, name_of(round, world_rank, 15));
    for (int i = 0; i < 2; ++i) {
        if ((i == 0) == receives_first)
            MPI_Irecv(pending.in, size, MPI_BYTE, pending.from, 20000, MPI_COMM_WORLD,
                      &pending.requests[i]);
        else
            MPI_Isend(pending.out, size, MPI_BYTE, to, 20000, MPI_COMM_WORLD, &pending.requests[i]);
    }
}

static void collective(void) {
    long each[kMostRanks], all[kMostRanks];
    const int root = (int)shared((uint32_t)world_size);
    for (int i = 0; i < world_size; ++i) each[i] = world_rank * 100 + i;
    switch (shared(7)) {
        case 0:
            MPI_Barrier(MPI_COMM_WORLD);
            break;
        case 1:
            all[0] = world_rank == root ? 77 : 0;
            MPI_Bcast(all, 1, MPI_LONG, root, MPI_COMM_WORLD);
            CHECK(all[0] == 77);
            break;
        case 2:
            MPI_Allreduce(each, all, world_size, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
            CHECK(all[0] == 100L * world_size * (world_size - 1) / 2);
            break;
        case 3:
            MPI_Alltoall(each, 1, MPI_LONG, all, 1, MPI_LONG, MPI_COMM_WORLD);
            CHECK(all[root] == root * 100 + world_rank);
            break;
        case 4:
            MPI_Allreduce(each, all, 1, MPI_LONG, MPI_MIN, half);
            CHECK(all[0] == world_rank % 2 * 100);
            break;
        case 5:
            MPI_Allgather(each, 1, MPI_LONG, all, 1, MPI_LONG, MPI_COMM_WORLD);
            CHECK(all[root] == root * 100);
            break;
        default:
            MPI_Scan(each, all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
            CHECK(all[0] == 100L * world_rank * (world_rank + 1) / 2);
    }
}

/* A collective that goes on while the ranks exchange messages. */
static void collective_beside(int round) {
    MPI_Request request;
    long mine = world_rank, sum = 0;
    if (shared(2) == 0) {
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        sum = (long)world_size * (world_size - 1) / 2;
    } else {
        MPI_Iallreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &request);
    }
    exchange(round);
    do_something();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum == (long)world_size * (world_size - 1) / 2);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(argc == 3 && world_size > 1 && world_size <= kMostRanks);
    shared_state = (uint64_t)atol(argv[1]);
    private_state = shared_state * 31 + (uint64_t)world_rank;
    const int rounds = atoi(argv[2]);
    const int has_background = shared_state % 4 == 1;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, 0, &half);
    for (int round = 0; round < rounds; ++round) {
        do_something();
        const uint32_t kind = shared(19);
        if (kind < 6)
            exchange(round);
        else if (kind < 9)
            token(round);
        else if (kind < 12)
            halo(round);
        else if (kind < 13)
            gather_anyhow(round);
        else if (kind < 15)
            collective();
        else if (kind < 18)
            turn_pending(round);
        else if (has_background)
            collective_beside(round);
    }
    end_pending(0);
    MPI_Comm_free(&half);
    return end("random_traffic");
}
