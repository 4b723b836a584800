/* Rank 1 waits for a flag that stays 0: it loops without calling MPI. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    volatile int ready = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (rank == 1 && !ready) {
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
