/* All ranks compute the same amount, communicate, and begin again. Arguments: how they communicate,
   steps, work in each step (1 is some 0.2 µs). `kumihimo cc` makes it count the work. */
#include "../../examples/apps/program.h"

enum { kLength = 256 };

static double values[kLength];

__attribute__((noinline)) static void compute(long work) {
    for (long repeat = 0; repeat < 10 * work; ++repeat)
        for (int i = 0; i < kLength; ++i) values[i] = values[i] * 0.999 + 0.001;
}

static void shift(int right, int left, int source) {
    double out = values[0], in = 0;
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_DOUBLE, source == MPI_ANY_SOURCE ? MPI_ANY_SOURCE : left, 0,
              MPI_COMM_WORLD, &request);
    MPI_Send(&out, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    values[1] += in;
}

static void shift_and_poll(int right, int left) {
    double out = values[0], in = 0;
    int done = 0;
    MPI_Request request;
    MPI_Irecv(&in, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&out, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);
    while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    values[1] += in;
}

/* Faces of blocks, of which there are as many to each side as there are dimensions. */
static void exchange_faces(int rank, int ranks) {
    enum { kSides = 6, kFaceBytes = 8192 };
    static char out[kSides][kFaceBytes], in[kSides][kFaceBytes];
    static const int distances[kSides / 2] = {1, 2, 4};
    MPI_Request requests[2 * kSides];
    for (int side = 0; side < kSides; ++side) {
        const int distance = side % 2 == 0 ? distances[side / 2] : ranks - distances[side / 2];
        MPI_Irecv(in[side], kFaceBytes, MPI_CHAR, (rank + ranks - distance) % ranks, side,
                  MPI_COMM_WORLD, &requests[side]);
        MPI_Isend(out[side], kFaceBytes, MPI_CHAR, (rank + distance) % ranks, side, MPI_COMM_WORLD,
                  &requests[kSides + side]);
    }
    MPI_Waitall(2 * kSides, requests, MPI_STATUSES_IGNORE);
}

/* A step of explicit hydrodynamics: faces of nodes, of elements and of gradients, then the shortest
   time step of all, and the clock, as LULESH has them. */
static double hydrodynamics(int rank, int ranks, long work) {
    double step = 1 + values[0], shortest = 0;
    for (int exchange = 0; exchange < 3; ++exchange) {
        exchange_faces(rank, ranks);
        compute(work / 3);
    }
    MPI_Allreduce(&step, &shortest, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    return MPI_Wtime() + shortest;
}

int main(int argc, char** argv) {
    int rank = 0;
    int ranks = 0;
    double* shared = NULL;
    double read = 0;
    MPI_Win window = MPI_WIN_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char* what = argc > 1 ? argv[1] : "allreduce";
    const long steps = argument(argc, argv, 2, 100);
    const long work = argument(argc, argv, 3, 100);
    const int right = (rank + 1) % ranks;
    const int left = (rank + ranks - 1) % ranks;
    const int puts = strcmp(what, "fence") == 0;
    if (puts)
        MPI_Win_allocate(sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &shared,
                         &window);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (long step = 0; step < steps; ++step) {
        if (strcmp(what, "hydro") == 0) {
            read += hydrodynamics(rank, ranks, work);
            continue;
        }
        compute(work);
        if (strcmp(what, "allreduce") == 0)
            MPI_Allreduce(MPI_IN_PLACE, values, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        else if (strcmp(what, "none") == 0)
            continue;
        else if (strcmp(what, "shift") == 0)
            shift(right, left, left);
        else if (strcmp(what, "anysource") == 0)
            shift(right, left, MPI_ANY_SOURCE);
        else if (strcmp(what, "poll") == 0)
            shift_and_poll(right, left);
        else if (strcmp(what, "halo") == 0)
            exchange_faces(rank, ranks);
        else if (strcmp(what, "wtime") == 0) {
            shift(right, left, left);
            read += MPI_Wtime();
        } else if (puts) {
            MPI_Win_fence(0, window);
            MPI_Put(values, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, window);
            MPI_Win_fence(0, window);
        } else {
            fprintf(stderr, "%s: no such communication\n", what);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    report(what, start);
    if (puts) MPI_Win_free(&window);
    if (read < 0) printf("%g\n", read);
    MPI_Finalize();
    return 0;
}
