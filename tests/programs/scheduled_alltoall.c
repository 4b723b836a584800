/* MPI_Alltoall as programs call it: types, communicators, in place, empty. What each block must
 * hold is known on both sides.
 *
 * scheduled_alltoall              everything, once in every form
 * scheduled_alltoall BYTES N      N calls with blocks of BYTES bytes, and nothing else
 * scheduled_alltoall BYTES N LATE the same; the last rank computes for LATE ns before each call */
#include <time.h>

#include "check.h"
#include "kumihimo/compute.h"

static uint64_t block_of(int origin, int target, int round) {
    return ((uint64_t)round << 40) ^ ((uint64_t)origin << 20) ^ (uint64_t)target;
}

/* Blocks of bytes on all ranks of a communicator. */
static void bytes(MPI_Comm comm, int size_bytes, int round, int is_in_place) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    char* out = allocate((size_t)size * size_bytes);
    char* in = allocate((size_t)size * size_bytes);
    for (int i = 0; i < size; ++i)
        pattern_fill((is_in_place ? in : out) + (size_t)i * size_bytes, size_bytes,
                     block_of(rank, i, round));
    const int error = MPI_Alltoall(is_in_place ? MPI_IN_PLACE : out, size_bytes, MPI_BYTE, in,
                                   size_bytes, MPI_BYTE, comm);
    CHECK(error == MPI_SUCCESS);
    for (int i = 0; i < size; ++i)
        CHECK(pattern_matches(in + (size_t)i * size_bytes, size_bytes, block_of(i, rank, round)));
    free(out);
    free(in);
}

/* Some ranks send every other double of a vector, others doubles in a row; all receive them with
 * gaps of their own. */
static void strides(MPI_Comm comm) {
    enum { COUNT = 400 };
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Datatype vector, spaced;
    MPI_Type_vector(COUNT, 1, 2, MPI_DOUBLE, &vector);
    MPI_Type_create_resized(vector, 0, 2 * COUNT * sizeof(double), &spaced);
    MPI_Type_commit(&spaced);
    double* out = allocate((size_t)size * 2 * COUNT * sizeof(double));
    double* in = allocate((size_t)size * 2 * COUNT * sizeof(double));
    const int has_gaps = rank % 3 == 0;
    for (int i = 0; i < size; ++i) {
        for (int k = 0; k < COUNT; ++k) {
            out[has_gaps ? i * 2 * COUNT + 2 * k : i * COUNT + k] = rank * 1e6 + i * 1e3 + k;
            in[i * 2 * COUNT + 2 * k] = -1;
            in[i * 2 * COUNT + 2 * k + 1] = -2;
        }
    }
    MPI_Alltoall(out, has_gaps ? 1 : COUNT, has_gaps ? spaced : MPI_DOUBLE, in, 1, spaced, comm);
    for (int i = 0; i < size; ++i) {
        for (int k = 0; k < COUNT; ++k) {
            CHECK(in[i * 2 * COUNT + 2 * k] == i * 1e6 + rank * 1e3 + k);
            CHECK(in[i * 2 * COUNT + 2 * k + 1] == -2);
        }
    }
    free(out);
    free(in);
    MPI_Type_free(&spaced);
    MPI_Type_free(&vector);
}

/* A synchronous send is answered by the receiver's MPI library while that rank waits for others. */
static void answered(MPI_Comm comm) {
    const int partner = world_rank ^ 1;
    int out = world_rank, in = -1;
    if (partner >= world_size) return bytes(comm, 8, 90, 0);
    if (world_rank % 2 == 0) {
        MPI_Ssend(&out, 1, MPI_INT, partner, 5, MPI_COMM_WORLD);
        bytes(comm, 8, 90, 0);
    } else {
        MPI_Request request;
        MPI_Irecv(&in, 1, MPI_INT, partner, 5, MPI_COMM_WORLD, &request);
        bytes(comm, 8, 90, 0);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK(in == partner);
    }
}

/* Messages of the program are under way around calls. */
static void among_messages(MPI_Comm comm) {
    const int right = (world_rank + 1) % world_size,
              left = (world_rank + world_size - 1) % world_size;
    enum { LARGE = 200000 };
    char* out = allocate(LARGE);
    char* in = allocate(LARGE);
    MPI_Request requests[2];
    pattern_fill(out, LARGE, (uint64_t)world_rank);
    MPI_Irecv(in, LARGE, MPI_BYTE, left, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, LARGE, MPI_BYTE, right, 2, MPI_COMM_WORLD, &requests[1]);
    bytes(comm, 24, 91, 0);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(pattern_matches(in, LARGE, (uint64_t)left));
    int one = 1, sum = 0;
    MPI_Request reduction;
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &reduction);
    bytes(comm, 24, 92, 0);
    MPI_Wait(&reduction, MPI_STATUS_IGNORE);
    CHECK(sum == world_size);
    free(out);
    free(in);
}

/* Communicators of halves of the ranks, of every other one, of all in reverse, and of two groups.
 */
static void communicators(void) {
    MPI_Comm half, other, reverse, pairs;
    MPI_Comm_split(MPI_COMM_WORLD, 2 * world_rank / world_size, 0, &half);
    bytes(half, 40, 100, 0);
    bytes(half, 1000, 101, 0);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, 0, &other);
    bytes(other, 40, 102, 0);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &reverse);
    bytes(reverse, 40, 103, 0);
    MPI_Intercomm_create(other, 0, MPI_COMM_WORLD, 1 - world_rank % 2, 7, &pairs);
    int ranks;
    MPI_Comm_remote_size(pairs, &ranks);
    int* out = allocate(ranks * sizeof(int));
    int* in = allocate(ranks * sizeof(int));
    for (int i = 0; i < ranks; ++i) out[i] = 1000 * world_rank + i;
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, pairs);
    for (int i = 0; i < ranks; ++i)
        CHECK(in[i] == 1000 * (2 * i + 1 - world_rank % 2) + world_rank / 2);
    free(out);
    free(in);
    MPI_Comm_free(&pairs);
    MPI_Comm_free(&reverse);
    MPI_Comm_free(&other);
    MPI_Comm_free(&half);
}

/* MPI_Wtime of different processes may have begun at different times. */
static double seconds(void) {
    struct timespec now;
    CHECK(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Of any ranks; each waits for the last one. */
static void barriers(void) {
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 3, 0, &part);
    for (int round = 0; round < 2; ++round) {
        if (world_rank == 0) kumi_compute_seconds(1e-5);
        const double began = seconds();
        MPI_Barrier(round == 0 ? MPI_COMM_WORLD : part);
        const double ended = seconds();
        double latest;
        MPI_Allreduce(&began, &latest, 1, MPI_DOUBLE, MPI_MAX, round == 0 ? MPI_COMM_WORLD : part);
        CHECK(ended >= latest);
    }
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Comm_free(&part);
}

static void everything(void) {
    static const int sizes[] = {1, 7, 8, 1024, 5000};
    for (int i = 0; i < 5; ++i) bytes(MPI_COMM_WORLD, sizes[i], i, 0);
    bytes(MPI_COMM_WORLD, 12, 10, 1);
    strides(MPI_COMM_WORLD);
    MPI_Alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, MPI_COMM_WORLD);
    MPI_Comm duplicate;
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    bytes(duplicate, 16, 11, 0);
    bytes(duplicate, 16, 12, 0);
    MPI_Comm_free(&duplicate);
    answered(MPI_COMM_WORLD);
    among_messages(MPI_COMM_WORLD);
    communicators();
    barriers();
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    if (argc < 3) {
        everything();
        return end("scheduled_alltoall");
    }
    const int size_bytes = atoi(argv[1]), calls = atoi(argv[2]);
    const int late_ns = argc > 3 ? atoi(argv[3]) : 0;
    for (int call = 0; call < calls; ++call) {
        if (world_rank == world_size - 1) kumi_compute_seconds(late_ns * 1e-9);
        bytes(MPI_COMM_WORLD, size_bytes, call, 0);
    }
    MPI_Finalize();
    return 0;
}
