#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { kPoints = 10000, kSteps = 20 };

/* Newton's method for many square roots at once; after each step all agree on the largest error. */
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static double root[kPoints];
    for (int i = 0; i < kPoints; ++i) root[i] = 1 + i;
    double worst = 0;
    for (int step = 0; step < kSteps; ++step) {
        double mine = 0;
        for (int i = 0; i < kPoints; ++i) {
            root[i] = 0.5 * (root[i] + (1 + i) / root[i]);
            mine = fmax(mine, fabs(root[i] * root[i] - (1 + i)));
        }
        MPI_Allreduce(&mine, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("largest error %.0e after %d steps\n", worst, kSteps);
    MPI_Finalize();
    return 0;
}
