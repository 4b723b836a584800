/* MPI_Allreduce, MPI_Bcast, MPI_Allgather, MPI_Alltoallv and MPI_Reduce_scatter_block as programs
 * call them: types, operations,
 * communicators, in place, empty. What all must find is known everywhere.
 *
 * scheduled_functions                    random calls in every form
 * scheduled_functions errors             wrong calls
 * scheduled_functions random SEED N      N rounds of random calls; ranks compute before each
 * scheduled_functions NAME BYTES N       N calls of a function, and nothing else
 * scheduled_functions NAME BYTES N LATE  the same; the last rank computes for LATE ns before each
 */
#include <math.h>

#include "check.h"
#include "kumihimo/compute.h"

static uint64_t state = 88172645463325252u;

/* The same on all ranks. */
static int below(int limit) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state % (uint64_t)limit);
}

static uint64_t own_state;
static int latest_ns;

/* Up to latest_ns of work, on each rank of its own length. */
static void come_late(void) {
    if (latest_ns == 0) return;
    own_state = own_state * 6364136223846793005u + 1442695040888963407u;
    kumi_compute_seconds((double)(own_state >> 33) / (double)(1u << 31) * latest_ns * 1e-9);
}

/* Element `at` of a rank's vector. */
static int64_t number(int rank, int at, int round) {
    return (int64_t)((rank + 3) * 7919 + at * 31 + round) % 1009;
}

static void bcast(MPI_Comm comm, int bytes, int root, int round) {
    int rank;
    MPI_Comm_rank(comm, &rank);
    char* data = allocate((size_t)bytes);
    if (rank == root) pattern_fill(data, (size_t)bytes, (uint64_t)round);
    CHECK(MPI_Bcast(data, bytes, MPI_BYTE, root, comm) == MPI_SUCCESS);
    CHECK(pattern_matches(data, (size_t)bytes, (uint64_t)round));
    free(data);
}

/* The root sends doubles in a row, the others receive every other one of a matrix. */
static void bcast_with_gaps(MPI_Comm comm, int root) {
    enum { COUNT = 333 };
    int rank;
    MPI_Comm_rank(comm, &rank);
    double data[2 * COUNT];
    for (int i = 0; i < 2 * COUNT; ++i) data[i] = rank == root ? i : -1;
    MPI_Datatype vector;
    MPI_Type_vector(COUNT, 1, 2, MPI_DOUBLE, &vector);
    MPI_Type_commit(&vector);
    MPI_Bcast(data, rank == root ? COUNT : 1, rank == root ? MPI_DOUBLE : vector, root, comm);
    for (int i = 0; i < COUNT && rank != root; ++i)
        CHECK(data[2 * i] == i && (i + 1 == COUNT || data[2 * i + 1] == -1));
    MPI_Type_free(&vector);
}

static void allgather(MPI_Comm comm, int bytes, int is_in_place, int round) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    char* own = allocate((size_t)bytes);
    char* all = allocate((size_t)size * (size_t)bytes);
    pattern_fill(is_in_place ? all + (size_t)rank * (size_t)bytes : own, (size_t)bytes,
                 (uint64_t)(round * 1000 + rank));
    CHECK(MPI_Allgather(is_in_place ? MPI_IN_PLACE : own, bytes, MPI_BYTE, all, bytes, MPI_BYTE,
                        comm) == MPI_SUCCESS);
    for (int i = 0; i < size; ++i)
        CHECK(pattern_matches(all + (size_t)i * (size_t)bytes, (size_t)bytes,
                              (uint64_t)(round * 1000 + i)));
    free(own);
    free(all);
}

/* Some ranks give a vector with gaps, all receive with other ones. */
static void allgather_with_gaps(MPI_Comm comm) {
    enum { COUNT = 50 };
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Datatype vector, spaced;
    MPI_Type_vector(COUNT, 1, 2, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, 2 * COUNT * sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    int own[2 * COUNT];
    int* all = allocate((size_t)size * 2 * COUNT * sizeof(int));
    const int has_gaps = rank % 2;
    for (int i = 0; i < COUNT; ++i) own[has_gaps ? 2 * i : i] = 1000 * rank + i;
    for (int i = 0; i < 2 * COUNT * size; ++i) all[i] = -1;
    MPI_Allgather(own, has_gaps ? 1 : COUNT, has_gaps ? spaced : MPI_INT, all, 1, spaced, comm);
    for (int i = 0; i < size * COUNT; ++i)
        CHECK(all[2 * i] == 1000 * (i / COUNT) + i % COUNT && all[2 * i + 1] == -1);
    free(all);
    MPI_Type_free(&spaced);
    MPI_Type_free(&vector);
}

/* Counts differ from pair to pair; some are 0. Blocks have gaps between them. */
static void alltoallv(MPI_Comm comm, int limit, int is_in_place, int round) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int *counts[2], *places[2], totals[2] = {0, 0};
    for (int side = 0; side < 2; ++side) {
        counts[side] = allocate((size_t)size * sizeof(int));
        places[side] = allocate((size_t)size * sizeof(int));
        for (int i = 0; i < size; ++i) {
            const int from = side == 0 ? rank : i, to = side == 0 ? i : rank;
            /* In place, pairs give each other as much. */
            const int low = from < to ? from : to, high = from < to ? to : from;
            const int mixed = is_in_place ? low * 131 + high * 7 : from * 131 + to * 7;
            counts[side][i] = (mixed + round) % 5 == 0 ? 0 : (mixed * 37 + round) % limit;
            places[side][i] = totals[side] + 3;
            totals[side] = places[side][i] + counts[side][i];
        }
    }
    int* out = allocate((size_t)totals[0] * sizeof(int));
    int* in = allocate((size_t)totals[1] * sizeof(int));
    for (int i = 0; i < totals[1]; ++i) in[i] = -1;
    for (int i = 0; i < size; ++i)
        for (int k = 0; k < counts[0][i]; ++k)
            (is_in_place ? in : out)[places[0][i] + k] = rank * 1000003 + i * 1009 + k + round;
    CHECK(MPI_Alltoallv(is_in_place ? MPI_IN_PLACE : out, counts[0], places[0], MPI_INT, in,
                        counts[1], places[1], MPI_INT, comm) == MPI_SUCCESS);
    for (int i = 0; i < size; ++i) {
        CHECK(in[places[1][i] - 1] == -1);
        for (int k = 0; k < counts[1][i]; ++k)
            CHECK(in[places[1][i] + k] == i * 1000003 + rank * 1009 + k + round);
    }
    for (int side = 0; side < 2; ++side) {
        free(counts[side]);
        free(places[side]);
    }
    free(out);
    free(in);
}

/* Even ranks send doubles with gaps, all receive them in a row. */
static void alltoallv_with_gaps(MPI_Comm comm) {
    enum { COUNT = 20 };
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Datatype spaced;
    MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &spaced);
    MPI_Type_commit(&spaced);
    const int step = rank % 2 == 0 ? 2 : 1;
    double* out = allocate((size_t)size * COUNT * 2 * sizeof(double));
    double* in = allocate((size_t)size * COUNT * sizeof(double));
    int* counts = allocate((size_t)size * sizeof(int));
    int* places = allocate((size_t)size * sizeof(int));
    for (int i = 0; i < size; ++i) {
        counts[i] = COUNT;
        places[i] = i * COUNT;
        for (int k = 0; k < COUNT; ++k) out[(i * COUNT + k) * step] = rank * 1000 + i * 30 + k;
    }
    MPI_Alltoallv(out, counts, places, step == 2 ? spaced : MPI_DOUBLE, in, counts, places,
                  MPI_DOUBLE, comm);
    for (int i = 0; i < size; ++i)
        for (int k = 0; k < COUNT; ++k) CHECK(in[i * COUNT + k] == i * 1000 + rank * 30 + k);
    free(out);
    free(in);
    free(counts);
    free(places);
    MPI_Type_free(&spaced);
}

enum { SUM, MAX, BXOR, LAND, OPERATIONS };

static int64_t combined(int which, int size, int at, int round) {
    int64_t found = number(0, at, round);
    for (int rank = 1; rank < size; ++rank) {
        const int64_t next = number(rank, at, round);
        if (which == SUM) found += next;
        if (which == MAX) found = next > found ? next : found;
        if (which == BXOR) found ^= next;
        if (which == LAND) found = found && next;
    }
    return which == LAND ? found != 0 : found;
}

static void allreduce(MPI_Comm comm, int count, int which, int is_in_place, int round) {
    const MPI_Op operations[] = {MPI_SUM, MPI_MAX, MPI_BXOR, MPI_LAND};
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int64_t* own = allocate((size_t)count * sizeof(int64_t));
    int64_t* all = allocate((size_t)count * sizeof(int64_t));
    for (int i = 0; i < count; ++i) (is_in_place ? all : own)[i] = number(rank, i, round);
    CHECK(MPI_Allreduce(is_in_place ? MPI_IN_PLACE : own, all, count, MPI_INT64_T,
                        operations[which], comm) == MPI_SUCCESS);
    for (int i = 0; i < count; ++i) CHECK(all[i] == combined(which, size, i, round));
    free(own);
    free(all);
}

static void reduce_scatter_block(MPI_Comm comm, int count, int which, int is_in_place, int round) {
    const MPI_Op operations[] = {MPI_SUM, MPI_MAX, MPI_BXOR, MPI_LAND};
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int64_t* own = allocate((size_t)count * (size_t)size * sizeof(int64_t));
    int64_t* block = allocate((size_t)count * sizeof(int64_t));
    for (int i = 0; i < count * size; ++i) own[i] = number(rank, i, round);
    CHECK(MPI_Reduce_scatter_block(is_in_place ? MPI_IN_PLACE : own, is_in_place ? own : block,
                                   count, MPI_INT64_T, operations[which], comm) == MPI_SUCCESS);
    for (int i = 0; i < count; ++i)
        CHECK((is_in_place ? own : block)[i] == combined(which, size, rank * count + i, round));
    free(own);
    free(block);
}

/* All ranks find the same sums of doubles, to the bit, near the exact ones. */
static void sums_of_doubles(MPI_Comm comm, int count) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    double* own = allocate((size_t)count * sizeof(double));
    double* all = allocate((size_t)count * sizeof(double));
    double* first = allocate((size_t)count * sizeof(double));
    for (int i = 0; i < count; ++i) own[i] = 1.0 / (1 + rank + i % 97);
    MPI_Allreduce(own, all, count, MPI_DOUBLE, MPI_SUM, comm);
    for (int i = 0; i < count; ++i) {
        double sum = 0;
        for (int k = 0; k < size; ++k) sum += 1.0 / (1 + k + i % 97);
        CHECK(fabs(all[i] - sum) < 1e-13 * size);
    }
    if (rank == 0) memcpy(first, all, (size_t)count * sizeof(double));
    MPI_Bcast(first, count, MPI_DOUBLE, 0, comm);
    CHECK(memcmp(first, all, (size_t)count * sizeof(double)) == 0);
    free(own);
    free(all);
    free(first);
}

/* Associative, not commutative: that of the lowest rank. */
static void first_of(void* in, void* both, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; ++i) ((int*)both)[i] = ((int*)in)[i];
}

static void others(MPI_Comm comm) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    /* A place and a value, and truth values of bytes. */
    const int pair[2] = {number(rank, 0, 5) > 500 ? 7 : 3, rank};
    int found[2];
    MPI_Allreduce(pair, found, 1, MPI_2INT, MPI_MAXLOC, comm);
    int wanted = 0;
    for (int i = size - 1; i >= 0; --i)
        if ((number(i, 0, 5) > 500 ? 7 : 3) >= (number(wanted, 0, 5) > 500 ? 7 : 3)) wanted = i;
    CHECK(found[1] == wanted);
    unsigned char bits = (unsigned char)(1 << rank % 8), any = 0;
    MPI_Allreduce(&bits, &any, 1, MPI_BYTE, MPI_BOR, comm);
    CHECK(any == (size >= 8 ? 255 : (1 << size) - 1));
    /* Those that are left to the library: a user's operation, and a type with gaps. */
    MPI_Op first;
    MPI_Op_create(first_of, 0, &first);
    int own = rank + 1, lowest = 0;
    MPI_Allreduce(&own, &lowest, 1, MPI_INT, first, comm);
    CHECK(lowest == 1);
    MPI_Op_free(&first);
    struct {
        double value;
        int place;
    } mine = {rank, rank}, most;
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
    CHECK(most.place == size - 1);
    /* Empty. */
    MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, comm);
    MPI_Bcast(NULL, 0, MPI_INT, 0, comm);
    MPI_Allgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, comm);
    int* nothing = calloc((size_t)size, sizeof(int));
    int unused[2];
    MPI_Alltoallv(&unused[0], nothing, nothing, MPI_INT, &unused[1], nothing, nothing, MPI_INT,
                  comm);
    free(nothing);
    MPI_Reduce_scatter_block(NULL, NULL, 0, MPI_INT, MPI_SUM, comm);
}

/* The library reports what is wrong with a call. */
static void errors(void) {
    MPI_Comm careful;
    int in = 1, out = 0;
    double number_in = 1, number_out = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &careful);
    MPI_Comm_set_errhandler(careful, MPI_ERRORS_RETURN);
    CHECK(MPI_Allreduce(&in, &out, -1, MPI_INT, MPI_SUM, careful) != MPI_SUCCESS);
    CHECK(MPI_Allreduce(&number_in, &number_out, 1, MPI_DOUBLE, MPI_BOR, careful) != MPI_SUCCESS);
    CHECK(MPI_Bcast(&in, 1, MPI_INT, world_size, careful) != MPI_SUCCESS);
    CHECK(MPI_Bcast(&in, -1, MPI_INT, 0, careful) != MPI_SUCCESS);
    CHECK(MPI_Reduce_scatter_block(&in, &out, -1, MPI_INT, MPI_SUM, careful) != MPI_SUCCESS);
    MPI_Comm_free(&careful);
}

static void everything(MPI_Comm comm, int rounds) {
    int size;
    MPI_Comm_size(comm, &size);
    for (int round = 0; round < rounds; ++round) {
        const int sizes[] = {1 + below(16), 1 + below(600), 1 + below(30000)};
        come_late();
        bcast(comm, sizes[below(3)], below(size), round);
        come_late();
        allgather(comm, sizes[below(2)], below(2), round);
        come_late();
        allreduce(comm, 1 + sizes[below(3)] / 8, below(OPERATIONS), below(2), round);
        come_late();
        alltoallv(comm, sizes[below(2)], below(2), round);
        come_late();
        reduce_scatter_block(comm, 1 + sizes[below(2)] / 8, below(OPERATIONS), below(2), round);
    }
    bcast_with_gaps(comm, below(size));
    allgather_with_gaps(comm);
    alltoallv_with_gaps(comm);
    sums_of_doubles(comm, 1);
    sums_of_doubles(comm, 5000);
    others(comm);
}

/* Rows and columns of hosts at once, all in reverse, and those of no box. */
static void communicators(void) {
    MPI_Comm part;
    for (int way = 0; way < 4; ++way) {
        const int color = way == 0 ? world_rank / 4 : way == 1 ? world_rank % 4 : 0;
        const int is_out = way == 3 && world_rank == 0;
        MPI_Comm_split(MPI_COMM_WORLD, is_out ? MPI_UNDEFINED : color, way == 2 ? -world_rank : 0,
                       &part);
        if (is_out) continue;
        bcast(part, 100, 0, way);
        allgather(part, 30, way % 2, way);
        allreduce(part, 100, way % OPERATIONS, 0, way);
        alltoallv(part, 100, way % 2, way);
        reduce_scatter_block(part, 10, way % OPERATIONS, way % 2, way);
        MPI_Comm_free(&part);
    }
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    if (argc == 2) {
        errors();
        return end("scheduled_functions");
    }
    if (argc == 4 && strcmp(argv[1], "random") == 0) {
        state ^= (uint64_t)atoi(argv[2]) << 32;
        own_state = state + (uint64_t)world_rank;
        latest_ns = 1 + below(5000);
        everything(MPI_COMM_WORLD, atoi(argv[3]));
        return end("scheduled_functions");
    }
    if (argc < 4) {
        everything(MPI_COMM_WORLD, 12);
        communicators();
        return end("scheduled_functions");
    }
    const int bytes = atoi(argv[2]), calls = atoi(argv[3]);
    const int late_ns = argc > 4 ? atoi(argv[4]) : 0;
    char* own = allocate((size_t)bytes * (size_t)world_size);
    char* all = allocate((size_t)bytes * (size_t)world_size);
    int* counts = allocate((size_t)world_size * sizeof(int));
    int* places = allocate((size_t)world_size * sizeof(int));
    memset(own, 1, (size_t)bytes * (size_t)world_size);
    for (int i = 0; i < world_size; ++i) {
        counts[i] = bytes;
        places[i] = i * bytes;
    }
    for (int call = 0; call < calls; ++call) {
        if (world_rank == world_size - 1) kumi_compute_seconds(late_ns * 1e-9);
        if (strcmp(argv[1], "allreduce") == 0)
            MPI_Allreduce(own, all, bytes / 8, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        else if (strcmp(argv[1], "bcast") == 0)
            MPI_Bcast(own, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        else if (strcmp(argv[1], "alltoallv") == 0)
            MPI_Alltoallv(own, counts, places, MPI_BYTE, all, counts, places, MPI_BYTE,
                          MPI_COMM_WORLD);
        else if (strcmp(argv[1], "reduce_scatter_block") == 0)
            MPI_Reduce_scatter_block(own, all, bytes / 8, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        else
            MPI_Allgather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, MPI_COMM_WORLD);
    }
    free(own);
    free(all);
    free(counts);
    free(places);
    MPI_Finalize();
    return 0;
}
