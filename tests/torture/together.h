/* Collectives, blocking and not, over neighbourhoods, and communicators that come and go. */
#ifndef KUMIHIMO_TESTS_TORTURE_TOGETHER_H
#define KUMIHIMO_TESTS_TORTURE_TOGETHER_H

#include <kumihimo/approx.h>

#include "point_to_point.h"

/* What a collective gives and takes; as many of them as go on at a time. */
enum { kMostBeside = 24 };
static struct {
    long each[kMostRanks], all[3 * kMostRanks], parts[3 * kMostRanks];
    int counts[2][kMostRanks], places[kMostRanks], bytes[kMostRanks];
    MPI_Datatype types[kMostRanks];
} data[kMostBeside];
static long *each = data->each, *all = data->all, *parts = data->parts;
static int (*counts)[kMostRanks] = data->counts, *places = data->places, *bytes = data->bytes;
static MPI_Datatype* types = data->types;

static void use_data(int i) {
    each = data[i].each;
    all = data[i].all;
    parts = data[i].parts;
    counts = data[i].counts;
    places = data[i].places;
    bytes = data[i].bytes;
    types = data[i].types;
}

/* How many numbers of the parts go between two ranks, or from or to one. */
static void set_counts(int depends_on_both) {
    for (int i = 0; i < size; ++i) {
        counts[0][i] = depends_on_both ? (rank + 2 * i) % 4 : i % 4;
        counts[1][i] = depends_on_both ? (i + 2 * rank) % 4 : i % 4;
        places[i] = 3 * i;
        bytes[i] = 3 * i * (int)sizeof(long);
        types[i] = MPI_LONG;
    }
}

/* Carries out a collective or, if there is a request for it, starts the nonblocking one. */
#define EITHER(Name, Started, ...) \
    (request ? MPI_##Started(__VA_ARGS__, request) : MPI_##Name(__VA_ARGS__))

/* Ranks give or get different numbers of elements. */
static void call_uneven_collective(uint32_t which, int root, MPI_Request* request) {
    set_counts(which == 8 || which == 16);
    switch (which) {
        case 8:
            EITHER(Alltoallv, Ialltoallv, parts, counts[0], places, MPI_LONG, all, counts[1],
                   places, MPI_LONG, comm);
            break;
        case 13:
            EITHER(Gatherv, Igatherv, parts, counts[0][rank], MPI_LONG, all, counts[1], places,
                   MPI_LONG, root, comm);
            break;
        case 14:
            EITHER(Scatterv, Iscatterv, parts, counts[0], places, MPI_LONG, all, counts[1][rank],
                   MPI_LONG, root, comm);
            break;
        case 15:
            EITHER(Allgatherv, Iallgatherv, parts, counts[0][rank], MPI_LONG, all, counts[1],
                   places, MPI_LONG, comm);
            break;
        case 16:
            EITHER(Alltoallw, Ialltoallw, parts, counts[0], bytes, types, all, counts[1], bytes,
                   types, comm);
            break;
        default:
            EITHER(Reduce_scatter, Ireduce_scatter, parts, all, counts[0], MPI_LONG, MPI_SUM, comm);
    }
}

/* Starts, or carries out, one of several collectives; `check_collective` looks at what came. */
static void call_collective(uint32_t which, int root, MPI_Request* request) {
    for (int i = 0; i < size; ++i) each[i] = rank * 100 + i;
    for (int i = 0; i < 3 * size; ++i) parts[i] = rank * 1000 + i;
    switch (which) {
        case 0:
            EITHER(Barrier, Ibarrier, comm);
            break;
        case 1:
            all[0] = rank == root ? 77 : 0;
            EITHER(Bcast, Ibcast, all, 1, MPI_LONG, root, comm);
            break;
        case 2:
            EITHER(Allreduce, Iallreduce, each, all, size, MPI_LONG, MPI_SUM, comm);
            break;
        case 3:
            EITHER(Alltoall, Ialltoall, each, 1, MPI_LONG, all, 1, MPI_LONG, comm);
            break;
        case 4:
            EITHER(Allgather, Iallgather, each, 1, MPI_LONG, all, 1, MPI_LONG, comm);
            break;
        case 5:
            EITHER(Gather, Igather, each, 1, MPI_LONG, all, 1, MPI_LONG, root, comm);
            break;
        case 6:
            EITHER(Reduce, Ireduce, each, all, 1, MPI_LONG, MPI_MAX, root, comm);
            break;
        case 7:
            EITHER(Reduce_scatter_block, Ireduce_scatter_block, each, all, 1, MPI_LONG, MPI_SUM,
                   comm);
            break;
        case 9:
            EITHER(Scan, Iscan, each, all, 1, MPI_LONG, MPI_SUM, comm);
            break;
        case 10:
            EITHER(Exscan, Iexscan, each, all, 1, MPI_LONG, MPI_SUM, comm);
            break;
        case 11:
            EITHER(Scatter, Iscatter, each, 1, MPI_LONG, all, 1, MPI_LONG, root, comm);
            break;
        case 12:
            for (int i = 0; i < size; ++i) all[i] = each[i];
            EITHER(Allreduce, Iallreduce, MPI_IN_PLACE, all, size, MPI_LONG, MPI_SUM, comm);
            break;
        default:
            call_uneven_collective(which, root, request);
    }
}
enum { kCollectives = 18 };

static void check_uneven_collective(uint32_t which, int root) {
    int before = 0;
    switch (which) {
        case 13:
        case 15:
            for (int i = 0; i < size; ++i)
                for (int k = 0; k < i % 4; ++k)
                    CHECK((which == 13 && rank != root) || all[3 * i + k] == i * 1000 + k);
            break;
        case 14:
            for (int k = 0; k < rank % 4; ++k) CHECK(all[k] == root * 1000 + 3 * rank + k);
            break;
        case 8:
        case 16:
            for (int i = 0; i < size; ++i)
                for (int k = 0; k < (i + 2 * rank) % 4; ++k)
                    CHECK(all[3 * i + k] == i * 1000 + 3 * rank + k);
            break;
        default:
            for (int i = 0; i < rank; ++i) before += i % 4;
            for (int k = 0; k < rank % 4; ++k)
                CHECK(all[k] == 1000L * size * (size - 1) / 2 + (long)size * (before + k));
    }
}

static void check_collective(uint32_t which, int root) {
    const long ranks = 100L * size * (size - 1) / 2;
    switch (which) {
        case 0:
            break;
        case 1:
            CHECK(all[0] == 77);
            break;
        case 2:
        case 12:
            CHECK(all[0] == ranks && all[size - 1] == ranks + size * (size - 1L));
            break;
        case 3:
            CHECK(all[root] == root * 100 + rank);
            break;
        case 4:
            CHECK(all[root] == root * 100);
            break;
        case 5:
            CHECK(rank != root || all[size - 1] == (size - 1) * 100);
            break;
        case 6:
            CHECK(rank != root || all[0] == (size - 1) * 100);
            break;
        case 7:
            CHECK(all[0] == ranks + (long)size * rank);
            break;
        case 9:
            CHECK(all[0] == 100L * rank * (rank + 1) / 2);
            break;
        case 10:
            CHECK(rank == 0 || all[0] == 100L * rank * (rank - 1) / 2);
            break;
        case 11:
            CHECK(all[0] == 100L * root + rank);
            break;
        default:
            check_uneven_collective(which, root);
    }
}

static void collective(int round) {
    const uint32_t which = shared(kCollectives);
    const int root = (int)shared((uint32_t)size);
    (void)round;
    call_collective(which, root, NULL);
    check_collective(which, root);
}

/* Numbers from all to all, on a communicator that is new to the call in every third round. In every
 * second one the program itself allows errors in them, whatever the rules say. */
static void blocks_of_numbers(int round) {
    enum { kNumbers = 40 };
    static double blocks[kMostRanks * kNumbers], found[kMostRanks * kNumbers];
    MPI_Comm whole = comm;
    MPI_Datatype numbers = MPI_DOUBLE;
    if (round % 2 == 0)
        CHECK(kumi_approx_type(MPI_DOUBLE, kProtectedBits, &numbers) == MPI_SUCCESS);
    for (int i = 0; i < size * kNumbers; ++i) blocks[i] = 1000.0 * round + 100 * rank + i;
    if (round % 3 == 0) MPI_Comm_dup(comm, &whole);
    MPI_Alltoall(blocks, kNumbers, numbers, found, kNumbers, numbers, whole);
    if (round % 2 == 0) MPI_Type_free(&numbers);
    for (int i = 0; i < size * kNumbers; ++i)
        check_number(found[i],
                     1000.0 * round + 100 * (i / kNumbers) + rank * kNumbers + i % kNumbers);
    if (round % 3 == 0) MPI_Comm_free(&whole);
}

/* With payloads that do not go eagerly. */
static void large_collective(int round) {
    const int numbers = 1 + (int)shared(20000), root = (int)shared((uint32_t)size);
    double* mine = allocate((size_t)numbers * sizeof *mine);
    double* sums = allocate((size_t)numbers * sizeof *sums);
    for (int i = 0; i < numbers; ++i) mine[i] = rank + i;
    if (shared(2) == 0) {
        MPI_Allreduce(mine, sums, numbers, MPI_DOUBLE, MPI_SUM, comm);
        check_number(sums[numbers - 1], 0.5 * size * (size - 1) + (double)size * (numbers - 1));
    } else {
        if (rank == root) mine[numbers - 1] = round;
        MPI_Bcast(mine, numbers, MPI_DOUBLE, root, comm);
        check_number(mine[numbers - 1], round);
    }
    free(mine);
    free(sums);
    if (is_approximate) blocks_of_numbers(round);
}

/* One collective or many, that go on while the ranks exchange messages. MPI libraries take steps of
 * all of them in turn, of which many send nothing. */
static void collective_beside(int round) {
    const int count = shared(3) == 0 ? 2 + (int)shared(kMostBeside - 1) : 1;
    uint32_t kinds[kMostBeside];
    int roots[kMostBeside];
    MPI_Request requests[kMostBeside];
    for (int i = 0; i < count; ++i) {
        kinds[i] = shared(kCollectives);
        roots[i] = (int)shared((uint32_t)size);
        use_data(i);
        call_collective(kinds[i], roots[i], &requests[i]);
        if (chance(4)) do_something();
    }
    if (shared(2) == 0) exchange(round);
    do_something();
    wait_for(count, requests, shared(kWaysToWait));
    for (int i = count - 1; i >= 0; --i) {
        use_data(i);
        check_collective(kinds[i], roots[i]);
    }
}

/* Over a grid, with neighbours on both sides in each dimension. */
static void neighbourhood(int round) {
    int dimensions[2] = {0, 0}, periods[2] = {1, (int)shared(2)};
    MPI_Comm grid;
    MPI_Request request;
    (void)round;
    MPI_Dims_create(size, 2, dimensions);
    MPI_Cart_create(comm, 2, dimensions, periods, 0, &grid);
    for (int i = 0; i < 4; ++i) each[i] = rank * 10 + i;
    for (int i = 0; i < 4; ++i) all[i] = -1;
    if (shared(2) == 0) {
        MPI_Neighbor_alltoall(each, 1, MPI_LONG, all, 1, MPI_LONG, grid);
    } else {
        MPI_Ineighbor_alltoall(each, 1, MPI_LONG, all, 1, MPI_LONG, grid, &request);
        do_something();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (int dimension = 0; dimension < 2; ++dimension) {
        int before, after;
        MPI_Cart_shift(grid, dimension, 1, &before, &after);
        for (int side = 0; side < 2; ++side) {
            const int from = side == 0 ? before : after;
            const int is_ambiguous = dimensions[dimension] <= 2;
            const long found = all[2 * dimension + side];
            if (from == MPI_PROC_NULL)
                CHECK(found == -1);
            else
                CHECK(found / 10 == from && (is_ambiguous || found % 10 == 2 * dimension + !side));
        }
    }
    MPI_Comm_free(&grid);
}

/* A communicator that lives for one round. */
static void new_communicator(int round) {
    const MPI_Comm whole = comm;
    const int whole_rank = rank, whole_size = size, parts = 1 + (int)shared(3);
    const int is_reversed = shared(2) == 0;
    MPI_Comm part;
    if (shared(3) == 0) {
        MPI_Comm_dup(comm, &part);
    } else {
        MPI_Comm_split(comm, rank % parts, is_reversed ? -rank : rank, &part);
    }
    /* All ranks draw the same, also where parts differ in size. */
    const uint64_t state = shared_state;
    comm = part;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    see((uint64_t)rank);
    if (size > 1) exchange(round);
    collective(round);
    MPI_Comm_free(&part);
    comm = whole;
    rank = whole_rank;
    size = whole_size;
    shared_state = state + 1;
}

#endif
