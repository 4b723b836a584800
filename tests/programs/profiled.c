/* Pairs of ranks, the even one sends: 30 and 10 µs after the call before in turn, and then once
 * more after a little work only. What that work takes is for programs that count it. */
#include <kumihimo/compute.h>
#include <stdlib.h>

#include "check.h"

static double work(double x, long count) {
    for (long i = 0; i < count; ++i) x = 0.5 * x + 1.0;
    return x;
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const long count = argc > 1 ? atol(argv[1]) : 0;
    double data[2] = {0, 0};
    for (int round = 0; round < 10; ++round) {
        if (world_rank % 2 == 0) {
            CHECK(kumi_compute_seconds(round % 2 == 0 ? 30e-6 : 10e-6) == KUMI_COMPUTE_OK);
            data[0] = work(data[0], count);
            MPI_Send(data, 2, MPI_DOUBLE, world_rank + 1, 0, MPI_COMM_WORLD); /* far */
            data[1] = work(data[1], count);
            MPI_Send(data, 2, MPI_DOUBLE, world_rank + 1, 0, MPI_COMM_WORLD); /* near */
        } else {
            for (int i = 0; i < 2; ++i)
                MPI_Recv(data, 2, MPI_DOUBLE, world_rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return end("profiled");
}
