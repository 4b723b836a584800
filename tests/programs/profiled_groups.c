/* Pairs of ranks: the even one sends, a hundred times in the half of the ranks to which it belongs,
 * and then as often among all, at the same place of the program. */
#include "check.h"

int main(int argc, char** argv) {
    begin(&argc, &argv);
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank < world_size / 2, world_rank, &half);
    for (int round = 0; round < 200; ++round) {
        const MPI_Comm group = round < 100 ? half : MPI_COMM_WORLD;
        int rank = 0, value = round;
        MPI_Comm_rank(group, &rank);
        if (rank % 2 == 0)
            MPI_Send(&value, 1, MPI_INT, rank + 1, 0, group);
        else
            MPI_Recv(&value, 1, MPI_INT, rank - 1, 0, group, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&half);
    return end("profiled_groups");
}
