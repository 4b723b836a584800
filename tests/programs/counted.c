/* Computes a chain of multiplications and additions, once and twice, and prints how long either
   took in virtual time. Arguments: how many. */
#include <kumihimo/compute.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double chain(double x, long count) {
    for (long i = 0; i < count; ++i) x = x * 0.999 + 0.5;
    return x;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const long count = argc > 1 ? atol(argv[1]) : 1000;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const double start = kumi_virtual_seconds();
    double x = chain(rank, count);
    const double middle = kumi_virtual_seconds();
    x = chain(x, 2 * count);
    const double end = kumi_virtual_seconds();
    MPI_Barrier(MPI_COMM_WORLD);
    printf("result %.12f\n", x);
    if (kumi_is_simulated())
        printf("once %.0f ps, twice %.0f ps\n", (middle - start) * 1e12, (end - middle) * 1e12);
    MPI_Finalize();
    return 0;
}
