/* A library that alternates computing and broadcasts, loaded after MPI_Init by a program that does
 * neither: both are made from this file. Usage: late_library LIBRARY ROUNDS */
#include <mpi.h>

#ifdef LIBRARY
double rounds(int count);
double rounds(int count) {
    double x = 1;
    for (int round = 0; round < count; ++round) {
        for (long i = 0; i < 60000; ++i) x = x * 0.999 + 0.001 * (double)(i % 7);
        MPI_Bcast(&x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    return x;
}
#else
#include <dlfcn.h>

#include "check.h"

int main(int argc, char** argv) {
    double (*rounds)(int) = NULL;
    begin(&argc, &argv);
    CHECK(argc == 3);
    void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    void* found = dlsym(library, "rounds");
    CHECK(found != NULL);
    memcpy(&rounds, &found, sizeof rounds);
    CHECK(rounds(atoi(argv[2])) > 0);
    return end("late_library");
}
#endif
