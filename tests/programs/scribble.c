// Rank 1 writes random bytes into the memory that ranks share with the simulation, as a program
// with a wild pointer may do. Arguments: the seed, the number of bytes, in how many bytes from the
// beginning.
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char* find_segment(void) {
    FILE* maps = fopen("/proc/self/maps", "r");
    if (maps == NULL) return NULL;
    uintptr_t largest = 0, found = 0;
    char line[1024];
    while (fgets(line, sizeof line, maps) != NULL) {
        uintptr_t begin, end;
        if (strstr(line, "rw-s") == NULL) continue;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &begin, &end) != 2) continue;
        if (end - begin <= largest) continue;
        largest = end - begin;
        found = begin;
    }
    fclose(maps);
    return (unsigned char*)found;
}

static void shift(int rounds, int rank, int ranks) {
    int value = rank;
    for (int i = 0; i < rounds; ++i)
        MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % ranks, 0, (rank + ranks - 1) % ranks,
                             0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    shift(20, rank, ranks);
    if (rank == 1) {
        unsigned char* segment = find_segment();
        const size_t range = strtoul(argv[3], NULL, 10);
        srand((unsigned)atoi(argv[1]));
        for (int i = 0; i < atoi(argv[2]); ++i) {
            const size_t at = (((size_t)rand() << 31) ^ (size_t)rand()) % range;
            segment[at] = (unsigned char)rand();
        }
    }
    shift(200, rank, ranks);
    MPI_Finalize();
    return 0;
}
