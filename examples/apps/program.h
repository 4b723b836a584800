/* What the programs here and the benchmark programs share. No global variables: SMPI, with which
 * some of them are compared, runs all ranks in one process. */
#ifndef KUMIHIMO_EXAMPLES_PROGRAM_H
#define KUMIHIMO_EXAMPLES_PROGRAM_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Zeroed memory; ends the job if there is none. */
static inline void* allocate(size_t size_bytes) {
    void* block = calloc(1, size_bytes == 0 ? 1 : size_bytes);
    if (block == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
    return block;
}

/* The number in argument `index`, or `otherwise`. */
static inline long argument(int argc, char** argv, int index, long otherwise) {
    return argc > index ? atol(argv[index]) : otherwise;
}

/* Takes `word` out of the arguments, wherever it stands; returns whether it was there. */
static inline int take_word(int* argc, char** argv, const char* word) {
    for (int i = 1; i < *argc; ++i) {
        if (strcmp(argv[i], word) != 0) continue;
        for (; i + 1 < *argc; ++i) argv[i] = argv[i + 1];
        --*argc;
        return 1;
    }
    return 0;
}

/* Ends the job, with a message of rank 0, unless `condition` holds; it is the same on all ranks. */
static inline void require(int condition, const char* message) {
    int rank = 0;
    if (condition) return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) fprintf(stderr, "%s\n", message);
    /* No rank ends the job before rank 0 has printed. */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

/* Prints what comparisons read: the seconds by MPI_Wtime, of rank 0. */
static inline void report(const char* name, double start) {
    int rank = 0;
    const double passed = MPI_Wtime() - start;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) printf("%s virtual_seconds %.12f\n", name, passed);
}

#endif
