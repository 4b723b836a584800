/* Regions that a hint names and exchanges in them, as a file has them: a line `hint 0|1 MASK` is a
 * border of a region for the ranks of a mask; `shift BYTES R0 R1 ...` says to which rank each
 * sends.
 *
 * Usage: drawn_kernels FILE */
#include <kumihimo/hint.h>

#include "check.h"

enum { kMostRanks = 16, kMostBytes = 1 << 17 };

static void shift(const int* targets, int size_bytes, char* own, char* received) {
    int from = 0;
    while (targets[from] != world_rank) ++from;
    memset(own, world_rank + size_bytes, (size_t)size_bytes);
    MPI_Sendrecv(own, size_bytes, MPI_BYTE, targets[world_rank], 1, received, size_bytes, MPI_BYTE,
                 from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < size_bytes; ++i) CHECK(received[i] == (char)(from + size_bytes));
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(argc == 2 && world_size <= kMostRanks);
    FILE* file = fopen(argv[1], "r");
    CHECK(file != NULL);
    char* own = (char*)allocate(kMostBytes);
    char* received = (char*)allocate(kMostBytes);
    char word[8];
    int value;
    while (fscanf(file, "%7s %d", word, &value) == 2) {
        int numbers[kMostRanks];
        const int is_hint = strcmp(word, "hint") == 0;
        for (int i = 0; i < (is_hint ? 1 : world_size); ++i)
            CHECK(fscanf(file, "%d", &numbers[i]) == 1);
        if (!is_hint)
            shift(numbers, value, own, received);
        else if ((numbers[0] >> world_rank & 1) != 0)
            CHECK(HINT("IN_KERNEL", value == 1 ? "1" : "0") == KUMI_HINT_OK);
    }
    fclose(file);
    free(own);
    free(received);
    if (world_rank == 0) printf("services: all is as it must be\n");
    MPI_Finalize();
    return 0;
}
