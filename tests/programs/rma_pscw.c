/* Post, start, complete, wait: each rank writes to its right neighbour, from which it reads. */
#include "check.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    CHECK(world_size >= 2);
    int right = (world_rank + 1) % world_size;
    int left = (world_rank + world_size - 1) % world_size;
    int cells[4] = {-1, -1, world_rank * 10, 0}, fetched = -1;
    MPI_Win window;
    MPI_Group world, origin, target;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &left, &origin);
    MPI_Group_incl(world, 1, &right, &target);
    MPI_Win_create(cells, sizeof cells, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int round = 0; round < 5; ++round) {
        const int value = world_rank * 100 + round;
        MPI_Win_post(origin, 0, window);
        MPI_Win_start(target, 0, window);
        MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, window);
        MPI_Get(&fetched, 1, MPI_INT, right, 2, 1, MPI_INT, window);
        MPI_Win_complete(window);
        MPI_Win_wait(window);
        CHECK(cells[0] == left * 100 + round && fetched == right * 10);
    }
    MPI_Win_free(&window);
    MPI_Group_free(&target);
    MPI_Group_free(&origin);
    MPI_Group_free(&world);
    return end("rma_pscw");
}
