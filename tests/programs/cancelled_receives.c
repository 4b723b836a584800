/* What a cancelled receive would have got goes to the next one, and so on: rank 1 has sent all of
 * it, in real time, before rank 0 cancels. */
#include "check.h"

#define MESSAGES 8

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(world_size >= 2);
    int values[MESSAGES + 1] = {0}, is_cancelled = 0;
    MPI_Request requests[MESSAGES + 1];
    MPI_Status status;
    if (world_rank == 0) {
        for (int i = 0; i <= MESSAGES; ++i)
            MPI_Irecv(&values[i], 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &requests[i]);
        MPI_Cancel(&requests[0]);
        MPI_Wait(&requests[0], &status);
        MPI_Test_cancelled(&status, &is_cancelled);
        /* Rank 1 sends when it gets this message, but to Kumihimo it may be ready long before. */
        MPI_Send(NULL, 0, MPI_INT, 1, 6, MPI_COMM_WORLD);
        CHECK(is_cancelled);
        MPI_Waitall(MESSAGES, requests + 1, MPI_STATUSES_IGNORE);
        for (int i = 0; i < MESSAGES; ++i) CHECK(values[i + 1] == 100 + i);
    } else if (world_rank == 1) {
        MPI_Recv(NULL, 0, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < MESSAGES; ++i) {
            const int value = 100 + i;
            MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
        }
    }
    return end("cancelled_receives");
}
