/* Each rank exchanges messages with its six neighbours on a periodic grid of three dimensions,
   again and again. Arguments: exchanges, bytes, and whether it waits for "all" messages at once or
   for "each", one after the other, as HPCG and LULESH do. */
#include "../../examples/apps/program.h"

enum { kDimensions = 3, kNeighbours = 2 * kDimensions };

int main(int argc, char** argv) {
    int ranks = 0;
    int lengths[kDimensions] = {0};
    const int periodic[kDimensions] = {1, 1, 1};
    int neighbours[kNeighbours];
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const long exchanges = argument(argc, argv, 1, 100);
    const int size_bytes = (int)argument(argc, argv, 2, 1024);
    const int waits_for_each = argc > 3 && strcmp(argv[3], "each") == 0;
    MPI_Dims_create(ranks, kDimensions, lengths);
    MPI_Cart_create(MPI_COMM_WORLD, kDimensions, lengths, periodic, 0, &grid);
    for (int i = 0; i < kDimensions; ++i)
        MPI_Cart_shift(grid, i, 1, &neighbours[2 * i], &neighbours[2 * i + 1]);
    char* out = (char*)allocate((size_t)size_bytes * kNeighbours);
    char* in = (char*)allocate((size_t)size_bytes * kNeighbours);
    MPI_Barrier(grid);
    const double start = MPI_Wtime();
    for (long exchange = 0; exchange < exchanges; ++exchange) {
        MPI_Request requests[2 * kNeighbours];
        for (int i = 0; i < kNeighbours; ++i)
            MPI_Irecv(in + (size_t)size_bytes * i, size_bytes, MPI_BYTE, neighbours[i], i, grid,
                      &requests[i]);
        /* What goes to one side comes, there, from the other. */
        for (int i = 0; i < kNeighbours; ++i)
            MPI_Isend(out + (size_t)size_bytes * i, size_bytes, MPI_BYTE, neighbours[i ^ 1], i,
                      grid, &requests[kNeighbours + i]);
        if (waits_for_each) {
            for (int i = 0; i < kNeighbours; ++i) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        }
        MPI_Waitall(2 * kNeighbours, requests, MPI_STATUSES_IGNORE);
    }
    report("halo", start);
    free(in);
    free(out);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
