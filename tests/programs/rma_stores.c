/* Rank 0 sleeps, or computes, and then stores into its own window; rank 1 gets what is there before
 * and after. For virtual time only: on a real network rank 1 may be late. */
#include <kumihimo/compute.h>
#include <unistd.h>

#include "check.h"

#define SPAN_S 1e-3

int main(int argc, char** argv) {
    MPI_Win window;
    int shown = 0;
    begin(&argc, &argv);
    MPI_Win_create(&shown, sizeof shown, sizeof shown, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    for (int round = 1; round <= 2; ++round) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        if (world_rank == 0) {
            if (round == 1)
                usleep((useconds_t)(SPAN_S * 1e6));
            else
                kumi_compute_seconds(SPAN_S);
            *(volatile int*)&shown = round;
        } else {
            int before = 0, after = 0;
            for (double now = start; now < start + 3 * SPAN_S; now = MPI_Wtime()) {
                int got = -1;
                MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
                MPI_Win_flush(0, window);
                /* What it got, the target's memory said between the two readings of the clock. */
                if (MPI_Wtime() < start + 0.9 * SPAN_S) {
                    CHECK(got == round - 1);
                    ++before;
                } else if (now > start + 1.1 * SPAN_S) {
                    CHECK(got == round);
                    ++after;
                }
                usleep(20);
            }
            CHECK(before > 5 && after > 5);
        }
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return end("rma_stores");
}
