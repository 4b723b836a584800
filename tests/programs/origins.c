/* Messages of every origin between two ranks, distinguished by their sizes: of the program, over
 * MPI_COMM_WORLD and a copy of it; of collectives; acknowledgements; one-sided operations. */
#include "check.h"

#define WORLD_TAG 7
#define COPY_TAG 9
#define LARGE_TAG 1000000
#define SYNCHRONOUS_TAG 21

static char bytes[200000];

static void send(int size, int tag, MPI_Comm communicator) {
    if (world_rank == 0) {
        MPI_Send(bytes, size, MPI_CHAR, 1, tag, communicator);
    } else {
        MPI_Status status;
        MPI_Recv(bytes, size, MPI_CHAR, 0, tag, communicator, &status);
        CHECK(status.MPI_TAG == tag);
    }
}

static void one_sided(void) {
    int* base;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
    *base = 0;
    MPI_Win_fence(0, window);
    const int value = 5;
    if (world_rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    if (world_rank == 0) MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, window);
    MPI_Win_fence(0, window);
    CHECK(*base == (world_rank == 1 ? 10 : 0));
    MPI_Win_free(&window);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);

    send(1001, WORLD_TAG, MPI_COMM_WORLD);
    send(1002, WORLD_TAG, copy);
    send(100003, COPY_TAG, copy);
    send(1004, LARGE_TAG, copy);
    if (world_rank == 0) {
        MPI_Ssend(bytes, 1005, MPI_CHAR, 1, SYNCHRONOUS_TAG, copy);
    } else {
        MPI_Recv(bytes, 1005, MPI_CHAR, 0, SYNCHRONOUS_TAG, copy, MPI_STATUS_IGNORE);
    }
    MPI_Bcast(bytes, 1006, MPI_CHAR, 0, copy);
    MPI_Request request;
    MPI_Ibcast(bytes, 1007, MPI_CHAR, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    one_sided();

    MPI_Comm_free(&copy);
    return end("origins");
}
