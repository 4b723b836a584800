#include <kumihimo/compute.h>
#include <mpi.h>
#include <stdio.h>

/* Each step: 4.8 million operations, rank 0 has twice as many; then a sum over all ranks. */
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 3; ++step) {
        double mine = rank, sum = 0;
        kumi_compute_flops(4.8e6 * (rank == 0 ? 2 : 1));
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("%.3f ms of virtual time\n", kumi_virtual_seconds() * 1e3);
    MPI_Finalize();
    return 0;
}
