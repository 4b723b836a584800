/* Doubles over communicators: of all ranks, of both halves with a name, of pairs without one, and
   of all ranks again, with the halves' name. Each rank sends one message in each. */

#include "check.h"

enum { WORDS = 1000 };

static void exchange(MPI_Comm comm) {
    static double out[WORDS], in[WORDS];
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Sendrecv(out, WORDS, MPI_DOUBLE, (rank + 1) % size, 0, in, WORDS, MPI_DOUBLE,
                 (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    MPI_Comm half, pair, again;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank * 2 / size, 0, &half);
    MPI_Comm_set_name(half, "halo");
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &pair);
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    exchange(MPI_COMM_WORLD);
    exchange(half);
    exchange(pair);
    MPI_Comm_set_name(again, "halo");
    exchange(again);
    MPI_Comm_free(&half);
    MPI_Comm_free(&pair);
    MPI_Comm_free(&again);
    if (rank == 0) printf("approximate_communicators: passed\n");
    MPI_Finalize();
    return 0;
}
