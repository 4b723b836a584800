/* Messages to and fro on a communicator that asserts, or does not, that there are no wildcards:
   asserted_ping_pong ROUNDS true|false. For two ranks. */

#include "check.h"

int main(int argc, char** argv) {
    MPI_Comm comm;
    MPI_Info info;
    char word = 0;
    int rank;
    MPI_Init(&argc, &argv);
    CHECK(argc == 3);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_source", argv[2]);
    MPI_Info_set(info, "mpi_assert_no_any_tag", argv[2]);
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
    MPI_Info_free(&info);
    /* So that the first receive, too, is posted while its message travels. */
    if (rank == 0) MPI_Recv(&word, 1, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(&word, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    for (int round = 0; round < atoi(argv[1]); ++round) {
        if (rank == 0) MPI_Send(&word, 1, MPI_BYTE, 1, 0, comm);
        MPI_Recv(&word, 1, MPI_BYTE, 1 - rank, 0, comm, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(&word, 1, MPI_BYTE, 0, 0, comm);
    }
    if (rank == 0) printf("asserted_ping_pong: passed\n");
    MPI_Finalize();
    return 0;
}
