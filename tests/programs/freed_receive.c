/* A receive whose request is freed is still due when virtual time ends, with a message that has
 * been sent. MPICH is asked to wait for it in MPI_Finalize. Argument: integers in the message. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    const int count = argc > 1 ? atoi(argv[1]) : 1;
    int* numbers = calloc((size_t)count, sizeof(int));
    int rank = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    setenv("MPIR_CVAR_FINALIZE_WAIT", "1", 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(numbers, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Isend(numbers, count, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
    if (rank == 1) MPI_Irecv(numbers, count, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
    if (rank < 2) MPI_Request_free(&request);
    if (rank == 1 && request == MPI_REQUEST_NULL) puts("freed_receive: ok");
    fflush(stdout);
    MPI_Finalize();
    free(numbers);
    return 0;
}
