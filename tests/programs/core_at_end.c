/* Each rank prints the one core on which its process may run after MPI_Finalize. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) != 0 || CPU_COUNT(&cores) != 1) return 1;
    int core = 0;
    while (!CPU_ISSET(core, &cores)) ++core;
    printf("rank %d core %d\n", rank, core);
    return 0;
}
