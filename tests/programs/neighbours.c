/* Each rank exchanges messages with the next and the previous two; waits for all of them at once.
   Argument: rounds. */
#include "check.h"

enum { kNeighbours = 4, kMostRounds = 1000 };

int main(int argc, char** argv) {
    static const int kDistances[kNeighbours] = {1, 2, -1, -2};
    begin(&argc, &argv);
    const int rounds = argc > 1 ? atoi(argv[1]) : 3;
    CHECK(rounds <= kMostRounds && world_size > kNeighbours);
    for (int round = 0; round < rounds; ++round) {
        MPI_Request requests[2 * kNeighbours];
        int out[kNeighbours], in[kNeighbours];
        for (int i = 0; i < kNeighbours; ++i) {
            const int from = (world_rank - kDistances[i] + world_size) % world_size;
            MPI_Irecv(&in[i], 1, MPI_INT, from, i, MPI_COMM_WORLD, &requests[i]);
        }
        for (int i = 0; i < kNeighbours; ++i) {
            const int to = (world_rank + kDistances[i] + world_size) % world_size;
            out[i] = world_rank * kMostRounds + round;
            MPI_Isend(&out[i], 1, MPI_INT, to, i, MPI_COMM_WORLD, &requests[kNeighbours + i]);
        }
        MPI_Waitall(2 * kNeighbours, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < kNeighbours; ++i) {
            const int from = (world_rank - kDistances[i] + world_size) % world_size;
            CHECK(in[i] == from * kMostRounds + round);
        }
    }
    return end("neighbours");
}
