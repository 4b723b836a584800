/* Every rank sends a block to every other. Arguments: rounds, bytes a block, and how: "pairwise"
 * (in step i with the ranks i before and i behind, the same messages in every MPI library) or
 * "library" (MPI_Alltoall, as the library thinks best). */
#include "../../examples/apps/program.h"

static void pairwise(const char* out, char* in, int size_bytes, int rank, int ranks) {
    memcpy(in + (size_t)rank * (size_t)size_bytes, out + (size_t)rank * (size_t)size_bytes,
           (size_t)size_bytes);
    for (int step = 1; step < ranks; ++step) {
        const int target = (rank + step) % ranks, source = (rank + ranks - step) % ranks;
        MPI_Sendrecv(out + (size_t)target * (size_t)size_bytes, size_bytes, MPI_BYTE, target, 0,
                     in + (size_t)source * (size_t)size_bytes, size_bytes, MPI_BYTE, source, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char** argv) {
    int rank = 0, ranks = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const long rounds = argument(argc, argv, 1, 1);
    const int size_bytes = (int)argument(argc, argv, 2, 1024);
    const int by_library = argc > 3 && strcmp(argv[3], "library") == 0;
    const size_t total = (size_t)size_bytes * (size_t)ranks;
    char* out = (char*)allocate(total);
    char* in = (char*)allocate(total);
    for (int i = 0; i < ranks; ++i) {
        memset(out + (size_t)i * (size_t)size_bytes, (rank * 7 + i) & 0x7f, (size_t)size_bytes);
    }
    const double start = MPI_Wtime();
    for (long i = 0; i < rounds; ++i) {
        if (by_library) {
            MPI_Alltoall(out, size_bytes, MPI_BYTE, in, size_bytes, MPI_BYTE, MPI_COMM_WORLD);
        } else {
            pairwise(out, in, size_bytes, rank, ranks);
        }
    }
    report("all_to_all", start);
    for (int i = 0; i < ranks; ++i) {
        if (in[(size_t)i * (size_t)size_bytes] != ((i * 7 + rank) & 0x7f)) {
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
    }
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
