#include <kumihimo/compute.h>
#include <mpi.h>
#include <stdio.h>

/* Rank 0 sends a question, and computes until it looks for the answer. */
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char text[32] = "";
    if (rank == 0) {
        kumi_compute_seconds(3e-6);
        MPI_Send(text, 32, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        kumi_compute_seconds(5e-6);
        MPI_Recv(text, 32, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(text, 32, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        kumi_compute_seconds(1e-6);
        MPI_Send(text, 32, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    const double end = kumi_virtual_seconds();
    double ends[2];
    MPI_Gather(&end, 1, MPI_DOUBLE, ends, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("rank 0 at %.4f µs, rank 1 at %.4f µs\n", ends[0] * 1e6, ends[1] * 1e6);
    MPI_Finalize();
    return 0;
}
