/* Non-blocking collectives, several at a time and mixed with point-to-point messages. */
#include "check.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    int root_value = world_rank == 0 ? 41 : -1;
    int sum = 0, prefix = 0, from_left = -1;
    int* all = (int*)allocate(sizeof(int) * (size_t)world_size);
    int* out = (int*)allocate(sizeof(int) * (size_t)world_size);
    int* in = (int*)allocate(sizeof(int) * (size_t)world_size);
    for (int i = 0; i < world_size; ++i) out[i] = world_rank * 1000 + i;
    const int left = (world_rank + world_size - 1) % world_size;
    const int right = (world_rank + 1) % world_size;

    MPI_Request requests[8];
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Ibcast(&root_value, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Iallreduce(&world_rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[2]);
    MPI_Irecv(&from_left, 1, MPI_INT, left, 5, MPI_COMM_WORLD, &requests[3]);
    MPI_Iallgather(&world_rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &requests[4]);
    MPI_Ialltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, &requests[5]);
    MPI_Iscan(&world_rank, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[6]);
    MPI_Isend(&world_rank, 1, MPI_INT, right, 5, MPI_COMM_WORLD, &requests[7]);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);

    CHECK(root_value == 41 && from_left == left);
    CHECK(sum == world_size * (world_size - 1) / 2);
    CHECK(prefix == world_rank * (world_rank + 1) / 2);
    for (int i = 0; i < world_size; ++i) CHECK(all[i] == i && in[i] == i * 1000 + world_rank);

    MPI_Request barrier;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    while (!done) MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    free(in);
    free(out);
    free(all);
    return end("nonblocking_collectives");
}
