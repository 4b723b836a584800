/* Threads that share work, natively and in a run: thread_share THREADS balanced|uneven
 *
 * Each of five parallel regions has the same work: equal parts for all threads, or a tenth for the
 * first one and equal parts of the rest for the others. Prints the milliseconds of all regions.
 */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRegions = 5 };

static double work(long steps) {
    volatile double x = 1;
    for (long i = 0; i < steps; ++i) x = x * 1.0000001 + 1e-9;
    return x;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc != 3) return 2;
    const int threads = atoi(argv[1]);
    const int is_uneven = strcmp(argv[2], "uneven") == 0 && threads > 1;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin_s = MPI_Wtime();
    double sum = 0;
    for (int region = 0; region < kRegions; ++region) {
#pragma omp parallel num_threads(threads) reduction(+ : sum)
        {
            double part = 1.0 / threads;
            if (is_uneven) part = omp_get_thread_num() == 0 ? 0.1 : 0.9 / (threads - 1);
            sum += work((long)(4e7 * part));
        }
    }
    const double end_s = MPI_Wtime();
    printf("milliseconds %.3f\n", (end_s - begin_s) * 1e3);
    MPI_Finalize();
    return sum == 0;
}
