/* Computes for 50 ms of CPU time, and prints how much time that was by MPI_Wtime. */
#include <sys/resource.h>

#include "check.h"

static double cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    const double start = MPI_Wtime();
    const double cpu_start = cpu_seconds();
    volatile double x = 1;
    while (cpu_seconds() - cpu_start < 0.05) {
        for (int i = 0; i < 10000; ++i) x = x * 0.5 + 1;
    }
    printf("spent %.6f s of %.6f s\n", cpu_seconds() - cpu_start, MPI_Wtime() - start);
    return end("measured");
}
