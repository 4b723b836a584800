/* A dynamic window: memory is attached after the window was made, addressed absolutely. */
#include "check.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const int right = (world_rank + 1) % world_size;
    const int left = (world_rank + world_size - 1) % world_size;
    int* cells = (int*)allocate(1000 * sizeof(int));
    memset(cells, 0, 1000 * sizeof(int));
    MPI_Win window;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_attach(window, cells, 1000 * sizeof(int));
    MPI_Aint own, remote;
    MPI_Get_address(cells, &own);
    MPI_Sendrecv(&own, 1, MPI_AINT, left, 1, &remote, 1, MPI_AINT, right, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    int values[1000];
    for (int i = 0; i < 1000; ++i) values[i] = world_rank * 1000 + i;
    MPI_Win_fence(0, window);
    MPI_Put(values, 1000, MPI_INT, right, remote, 1000, MPI_INT, window);
    MPI_Win_fence(0, window);
    for (int i = 0; i < 1000; ++i) CHECK(cells[i] == left * 1000 + i);
    MPI_Win_detach(window, cells);
    MPI_Win_free(&window);
    free(cells);
    return end("rma_dynamic");
}
