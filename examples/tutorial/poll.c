#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

/* Rank 0 sleeps a millisecond before it sends; rank 1 polls until the message is there. */
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, value = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        usleep(1000);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        int arrived = 0, polls = 0;
        MPI_Request request;
        const double begin = MPI_Wtime();
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        while (!arrived) {
            MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
            ++polls;
        }
        printf("%d polls, %.2f µs\n", polls, (MPI_Wtime() - begin) * 1e6);
    }
    MPI_Finalize();
    return 0;
}
