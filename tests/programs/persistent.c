/* Persistent requests, started again and again. */
#include "check.h"

#define ROUNDS 10
#define COUNT 500

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const int right = (world_rank + 1) % world_size;
    const int left = (world_rank + world_size - 1) % world_size;
    int out[COUNT], in[COUNT];
    MPI_Request requests[2];
    MPI_Recv_init(in, COUNT, MPI_INT, left, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out, COUNT, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[1]);
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < COUNT; ++i) out[i] = world_rank * 100000 + round * 1000 + i;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < COUNT; ++i) CHECK(in[i] == left * 100000 + round * 1000 + i);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return end("persistent");
}
