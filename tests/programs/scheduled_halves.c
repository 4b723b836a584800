/* MPI_Alltoall among the first half of the ranks, and with a second argument of 2 among the others
 * at the same time.
 *
 * scheduled_halves BYTES HALVES */
#include "check.h"

static void call(MPI_Comm comm, int size_bytes) {
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    char* out = allocate((size_t)size * size_bytes);
    char* in = allocate((size_t)size * size_bytes);
    for (int i = 0; i < size; ++i)
        pattern_fill(out + (size_t)i * size_bytes, size_bytes, (uint64_t)(rank * size + i));
    MPI_Alltoall(out, size_bytes, MPI_BYTE, in, size_bytes, MPI_BYTE, comm);
    for (int i = 0; i < size; ++i)
        CHECK(
            pattern_matches(in + (size_t)i * size_bytes, size_bytes, (uint64_t)(i * size + rank)));
    free(out);
    free(in);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(argc == 3);
    const int half = 2 * world_rank / world_size;
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, half, 0, &comm);
    MPI_Barrier(MPI_COMM_WORLD);
    if (half < atoi(argv[2])) call(comm, atoi(argv[1]));
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
