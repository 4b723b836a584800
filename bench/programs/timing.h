/* What the benchmark programs share. No global variables: SMPI runs all ranks in one process. */
#ifndef KUMIHIMO_BENCH_TIMING_H
#define KUMIHIMO_BENCH_TIMING_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void* allocate(size_t size_bytes) {
    void* block = calloc(1, size_bytes == 0 ? 1 : size_bytes);
    if (block == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
    return block;
}

/* The number in argument `index`, or `otherwise`. */
static inline long argument(int argc, char** argv, int index, long otherwise) {
    return argc > index ? atol(argv[index]) : otherwise;
}

/* Prints what the comparison reads: the seconds by MPI_Wtime, of rank 0. */
static inline void report(const char* name, double start) {
    int rank = 0;
    const double passed = MPI_Wtime() - start;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) printf("%s virtual_seconds %.12f\n", name, passed);
}

#endif
