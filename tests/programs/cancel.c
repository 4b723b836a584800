/* A receive that nothing matches is cancelled; the message that comes later is not lost. */
#include "check.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(world_size >= 2);
    int value = -1, cancelled = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    CHECK(cancelled);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank == 0) {
        for (int target = 1; target < world_size; ++target) {
            MPI_Send(&target, 1, MPI_INT, target, 9, MPI_COMM_WORLD);
        }
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(value == world_rank);
    }
    return end("cancel");
}
