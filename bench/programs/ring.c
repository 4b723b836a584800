/* A token goes round all ranks. Arguments: rounds, bytes. */
#include "../../examples/apps/program.h"

int main(int argc, char** argv) {
    int rank = 0, ranks = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const long rounds = argument(argc, argv, 1, 160);
    const int size_bytes = (int)argument(argc, argv, 2, 1024);
    const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    char* token = (char*)allocate((size_t)size_bytes);
    const double start = MPI_Wtime();
    for (long i = 0; i < rounds; ++i) {
        if (rank == 0) MPI_Send(token, size_bytes, MPI_BYTE, right, 0, MPI_COMM_WORLD);
        MPI_Recv(token, size_bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank != 0) MPI_Send(token, size_bytes, MPI_BYTE, right, 0, MPI_COMM_WORLD);
    }
    report("ring", start);
    free(token);
    MPI_Finalize();
    return 0;
}
