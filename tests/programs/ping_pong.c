/* Messages of every size class between ranks 0 and 1, there and back, contents checked. */
#include "check.h"

static void exchange(size_t size_bytes, int repeats) {
    char* buffer = (char*)allocate(size_bytes);
    for (int i = 0; i < repeats; ++i) {
        const uint64_t seed = size_bytes + (uint64_t)i;
        MPI_Status status;
        int count = -1;
        if (world_rank == 0) {
            pattern_fill(buffer, size_bytes, seed);
            MPI_Send(buffer, (int)size_bytes, MPI_BYTE, 1, i, MPI_COMM_WORLD);
            memset(buffer, 0, size_bytes);
            MPI_Recv(buffer, (int)size_bytes, MPI_BYTE, 1, i, MPI_COMM_WORLD, &status);
            CHECK(pattern_matches(buffer, size_bytes, seed + 1));
        } else {
            MPI_Recv(buffer, (int)size_bytes, MPI_BYTE, 0, i, MPI_COMM_WORLD, &status);
            CHECK(pattern_matches(buffer, size_bytes, seed));
            pattern_fill(buffer, size_bytes, seed + 1);
            MPI_Send(buffer, (int)size_bytes, MPI_BYTE, 0, i, MPI_COMM_WORLD);
        }
        MPI_Get_count(&status, MPI_BYTE, &count);
        CHECK(count == (int)size_bytes && status.MPI_TAG == i);
    }
    free(buffer);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(world_size >= 2);
    if (world_rank < 2) {
        const size_t sizes[] = {0, 1, 7, 64, 1000, 4096, 16384, 65535, 65536, 65537, 1 << 20};
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) exchange(sizes[i], 3);
    }
    return end("ping_pong");
}
