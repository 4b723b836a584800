/* Ranks call a window function for the first time while others still compute. Counted. */
#include "check.h"

#define NEIGHBOURS 6

static volatile double sink;

static void work(uint64_t* state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    double x = 1;
    for (uint64_t i = 0; i < (*state >> 40) % 75000; ++i) x = x * 1.0000001 + 1e-9;
    sink = x;
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(world_size > NEIGHBOURS);
    uint64_t state = (uint64_t)world_rank + 1;
    int in[NEIGHBOURS] = {0};
    MPI_Request requests[2 * NEIGHBOURS];
    for (int i = 0; i < NEIGHBOURS; ++i)
        MPI_Irecv(&in[i], 1, MPI_INT, (world_rank + world_size - 1 - i) % world_size, i,
                  MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < NEIGHBOURS; ++i) {
        work(&state);
        MPI_Isend(&world_rank, 1, MPI_INT, (world_rank + 1 + i) % world_size, i, MPI_COMM_WORLD,
                  &requests[NEIGHBOURS + i]);
    }
    work(&state);
    long* memory;
    MPI_Win window;
    MPI_Win_allocate(800, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Waitall(2 * NEIGHBOURS, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < NEIGHBOURS; ++i)
        CHECK(in[i] == (world_rank + world_size - 1 - i) % world_size);
    MPI_Win_free(&window);
    return end("first_window");
}
