/* Two ranks that compute, and then send a message to and fro, again and again.
 *
 * Usage: quiet_pair ROUNDS BYTES GAP_US [LEAD_US]. Both compute for GAP_US between messages. With
 * LEAD_US each asks for the links to the other so long before it can send. Each rank prints its
 * clock at the end. */
#include <kumihimo/compute.h>
#include <kumihimo/hint.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void compute_us(double us) { kumi_compute_seconds(us * 1e-6); }

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int rounds = atoi(argv[1]), bytes = atoi(argv[2]);
    const double gap_us = atof(argv[3]), lead_us = argc > 4 ? atof(argv[4]) : 0;
    char* buffer = calloc(1, (size_t)bytes + 1);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < rounds; ++round) {
        compute_us(gap_us - lead_us);
        if (lead_us > 0) kumi_wake(1 - rank);
        compute_us(lead_us);
        if (rank == 0) MPI_Send(buffer, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(buffer, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(buffer, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    printf("rank %d clock_ps %.0f\n", rank, kumi_virtual_seconds() * 1e12);
    free(buffer);
    MPI_Finalize();
    return 0;
}
