/* One exchange of 8 B with the rank half way round, then ring shifts in a region that a hint names.
 *
 * Usage: first_elsewhere [SHIFTS [BYTES]] */
#include <kumihimo/hint.h>

#include "check.h"

static void exchange(int to, int from, const char* own, char* received, int size_bytes) {
    MPI_Sendrecv(own, size_bytes, MPI_BYTE, to, 1, received, size_bytes, MPI_BYTE, from, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < size_bytes; ++i) CHECK(received[i] == (char)from);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const int shifts = argc > 1 ? atoi(argv[1]) : 100;
    const int size_bytes = argc > 2 ? atoi(argv[2]) : 5000;
    CHECK(size_bytes >= 8);
    char* own = (char*)allocate((size_t)size_bytes);
    char* received = (char*)allocate((size_t)size_bytes);
    memset(own, world_rank, (size_t)size_bytes);
    const int across = (world_rank + world_size / 2) % world_size;
    exchange(across, across, own, received, 8);
    CHECK(HINT("IN_KERNEL", "1") == KUMI_HINT_OK);
    const int next = (world_rank + 1) % world_size;
    const int previous = (world_rank + world_size - 1) % world_size;
    for (int i = 0; i < shifts; ++i) exchange(next, previous, own, received, size_bytes);
    CHECK(HINT("IN_KERNEL", "0") == KUMI_HINT_OK);
    free(own);
    free(received);
    if (world_rank == 0) printf("services: all is as it must be\n");
    MPI_Finalize();
    return 0;
}
