#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRounds = 100, kWindow = 64 };

/* Half the time of a message there and back, as osu_latency and NetPIPE measure it. */
static double latency_s(char* data, int bytes, int rank) {
    const double begin = MPI_Wtime();
    for (int i = 0; i < kRounds; ++i) {
        if (rank == 0) MPI_Send(data, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(data, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - begin) / (2 * kRounds);
}

/* Time for each of many messages in one direction, answered once: osu_bw and osu_mbw_mr. */
static double interval_s(char* data, int bytes, int rank) {
    MPI_Request requests[kWindow];
    const double begin = MPI_Wtime();
    for (int i = 0; i < kWindow; ++i) {
        if (rank == 0) MPI_Isend(data, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &requests[i]);
        if (rank == 1) MPI_Irecv(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
    if (rank == 0) MPI_Recv(data, 0, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(data, 0, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    return (MPI_Wtime() - begin) / kWindow;
}

/* Arguments: sizes in bytes. */
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) printf("%9s %10s %10s %12s\n", "bytes", "latency", "MB/s", "messages/s");
    for (int i = 1; i < argc && rank < 2; ++i) {
        const int bytes = atoi(argv[i]);
        char* data = calloc(bytes + 1, 1);
        const double latency = latency_s(data, bytes, rank);
        const double interval = interval_s(data, bytes, rank);
        if (rank == 0) {
            printf("%9d %7.2f µs %10.0f %12.0f\n", bytes, latency * 1e6, bytes / interval * 1e-6,
                   1 / interval);
        }
        free(data);
    }
    MPI_Finalize();
    return 0;
}
