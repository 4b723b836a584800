/* Ranks 0 and 1 send one another messages. Arguments: rounds, bytes. */
#include "../../examples/apps/program.h"

int main(int argc, char** argv) {
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const long rounds = argument(argc, argv, 1, 50000);
    const int size_bytes = (int)argument(argc, argv, 2, 1024);
    char* buffer = (char*)allocate((size_t)size_bytes);
    const double start = MPI_Wtime();
    for (long i = 0; i < rounds && rank < 2; ++i) {
        if (rank == 0) MPI_Send(buffer, size_bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, size_bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(buffer, size_bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
    report("ping_pong", start);
    free(buffer);
    MPI_Finalize();
    return 0;
}
