/* Two regions that a hint names, in which ranks exchange with different partners; both, ROUNDS
 * times. The number of ranks is a multiple of four. With `ring`, ranks send to the next one, then
 * to the next but one.
 *
 * Usage: two_kernels [EXCHANGES [BYTES [ROUNDS [pairs|ring]]]] */
#include <kumihimo/hint.h>

#include "check.h"

static void exchange(int to, int from, char* own, char* received, int size_bytes, int number) {
    memset(own, world_rank + number, (size_t)size_bytes);
    MPI_Sendrecv(own, size_bytes, MPI_BYTE, to, 1, received, size_bytes, MPI_BYTE, from, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < size_bytes; ++i) CHECK(received[i] == (char)(from + number));
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const int exchanges = argc > 1 ? atoi(argv[1]) : 100;
    const int size_bytes = argc > 2 ? atoi(argv[2]) : 5000;
    const int rounds = argc > 3 ? atoi(argv[3]) : 1;
    const int ring = argc > 4 && strcmp(argv[4], "ring") == 0;
    char* own = (char*)allocate((size_t)size_bytes);
    char* received = (char*)allocate((size_t)size_bytes);
    for (int kernel = 0; kernel < 2 * rounds; ++kernel) {
        CHECK(HINT("IN_KERNEL", "1") == KUMI_HINT_OK);
        const int distance = kernel % 2 == 0 ? 1 : 2;
        const int to = ring ? (world_rank + distance) % world_size : world_rank ^ distance;
        const int from =
            ring ? (world_rank + world_size - distance) % world_size : world_rank ^ distance;
        for (int i = 0; i < exchanges; ++i) exchange(to, from, own, received, size_bytes, i);
        CHECK(HINT("IN_KERNEL", "0") == KUMI_HINT_OK);
    }
    free(own);
    free(received);
    if (world_rank == 0) printf("services: all is as it must be\n");
    MPI_Finalize();
    return 0;
}
