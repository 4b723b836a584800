/* The calls with large counts, MPI_Send_c and its kin, which MPI 4 added. */
#include "check.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const int right = (world_rank + 1) % world_size;
    const int left = (world_rank + world_size - 1) % world_size;
    const MPI_Count count = 100000;
    double* out = (double*)allocate(sizeof(double) * (size_t)count);
    double* in = (double*)allocate(sizeof(double) * (size_t)count);
    for (MPI_Count i = 0; i < count; ++i) out[i] = world_rank + (double)i;

    MPI_Request requests[2];
    MPI_Status status;
    MPI_Count received = -1;
    MPI_Irecv_c(in, count, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend_c(out, count, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], &status);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Get_count_c(&status, MPI_DOUBLE, &received);
    CHECK(received == count && in[count - 1] == left + (double)(count - 1));

    if (world_rank % 2 == 0) {
        if (world_rank + 1 < world_size) MPI_Send_c(out, 10, MPI_DOUBLE, right, 2, MPI_COMM_WORLD);
    } else {
        MPI_Recv_c(in, 10, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(in[9] == left + 9.0);
    }
    double sum = 0;
    MPI_Allreduce_c(out, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == world_size * (world_size - 1) / 2.0);
    if (world_rank == 0) in[0] = 77;
    MPI_Bcast_c(in, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    CHECK(in[0] == 77);
    free(in);
    free(out);
    return end("large_count");
}
