/* A token goes round the ring; each rank adds its number. Arguments: rounds, bytes. */
#include "check.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const int rounds = argc > 1 ? atoi(argv[1]) : 3;
    const size_t size_bytes = argc > 2 ? (size_t)atol(argv[2]) : sizeof(int64_t);
    CHECK(size_bytes >= sizeof(int64_t));
    char* token = (char*)allocate(size_bytes);
    memset(token, 0, size_bytes);
    const int previous = (world_rank + world_size - 1) % world_size;
    const int next = (world_rank + 1) % world_size;
    int64_t sum = 0;
    for (int round = 0; round < rounds; ++round) {
        if (world_rank > 0 || round > 0) {
            MPI_Recv(token, (int)size_bytes, MPI_BYTE, previous, 7, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        }
        memcpy(&sum, token, sizeof sum);
        sum += world_rank;
        memcpy(token, &sum, sizeof sum);
        MPI_Send(token, (int)size_bytes, MPI_BYTE, next, 7, MPI_COMM_WORLD);
    }
    if (world_rank == 0) {
        MPI_Recv(token, (int)size_bytes, MPI_BYTE, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        memcpy(&sum, token, sizeof sum);
        CHECK(sum == (int64_t)rounds * world_size * (world_size - 1) / 2);
        printf("ring: sum %lld\n", (long long)sum);
    }
    free(token);
    return end("ring");
}
