/* Doubles from three places: one that sends alone, one that sends together with the third, and
   MPI_Allreduce. Each rank sends one message at each of the first two. */

#include "check.h"

enum { WORDS = 1000 };

static double out[WORDS], in[WORDS];

int main(int argc, char** argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    /* first */
    MPI_Sendrecv(out, WORDS, MPI_DOUBLE, next, 0, in, WORDS, MPI_DOUBLE, before, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    /* second */
    MPI_Sendrecv(out, WORDS, MPI_DOUBLE, next, 1, in, WORDS, MPI_DOUBLE, before, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    /* third */
    MPI_Allreduce(out, in, WORDS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("approximate_sites: passed\n");
    MPI_Finalize();
    return 0;
}
