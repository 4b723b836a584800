/* Threads that compute between calls of MPI, which only the first one calls. Each has the same part
   of the iterations, so that the same work is counted in every run. */
#include "check.h"

enum { kThreads = 3, kCount = 30000 };

int main(int argc, char** argv) {
    double sum = 0, total = 0;
    int threads = 0;
    begin(&argc, &argv);
#pragma omp parallel num_threads(kThreads) reduction(+ : sum, threads)
    {
        ++threads;
#pragma omp for schedule(static)
        for (int i = 0; i < kCount; ++i) sum += i;
    }
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    CHECK(threads == kThreads);
    CHECK(total == world_size * (kCount * (kCount - 1.0) / 2));
    return end("openmp");
}
